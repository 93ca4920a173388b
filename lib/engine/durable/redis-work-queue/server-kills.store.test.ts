import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bytesOf, openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { type OwnRedis, openOwnRedis } from "@/scripts/testing/own-redis";
import {
  ackEntries,
  appendItems,
  deadLetterEntry,
  newRuntime,
  readDepths,
  readLetters,
  requeueBatch,
  retryEntry,
  returnLeftovers,
  takeEntries,
  tick,
  type WorkQueue,
} from ".";
import { readEntry } from "./envelope/entry";
import { readLetter } from "./envelope/letter";

vi.setConfig({ testTimeout: 60_000 });

let own: OwnRedis;
let queue: TestQueue;
beforeAll(async () => {
  own = await openOwnRedis();
  queue = await openTestQueue(own.url("admin"), own.url("admin"));
});
afterAll(async () => {
  await queue.close();
  await own.end();
});

const KILLS = 4;

/** What each piece of work's number is known to be: `unknown` where the answer was lost. */
const book = { appended: new Map<number, "sure" | "unknown">(), acked: new Map<number, "sure" | "unknown">() };
const number = (item: Buffer | undefined) => (item ? Number(item.toString()) : -1);

/** Does it again and again until it is over; what fails, fails, and is not done again. */
async function keepOn(stop: AbortSignal, what: () => Promise<unknown>): Promise<void> {
  while (!stop.aborted) {
    await what().catch(() => sleep(20));
    await sleep(1);
  }
}

let made = 0;
async function produce(on: WorkQueue<unknown>): Promise<void> {
  const numbers = [made, made + 1, made + 2];
  made += 3;
  for (const n of numbers) book.appended.set(n, "unknown");
  await appendItems(
    on,
    numbers.map((n) => Buffer.from(String(n))),
  );
  for (const n of numbers) book.appended.set(n, "sure");
}

async function work(on: WorkQueue<unknown>, runtime: string): Promise<void> {
  for (const { bytes, entry } of await takeEntries(on, runtime, 3)) {
    if (!entry) throw new Error("not an entry");
    const n = number(entry.item);
    const how = (n + entry.attempts) % 3;
    if (how === 1) await retryEntry(on, runtime, { bytes, entry });
    if (how === 2) await deadLetterEntry(on, runtime, { bytes, entry }, "broken");
    if (how !== 0) continue;
    book.acked.set(n, "unknown");
    const [answer] = await ackEntries(on, runtime, [{ bytes, entry }]);
    if (answer === "acked") book.acked.set(n, "sure");
  }
}

async function requeue(on: WorkQueue<unknown>): Promise<void> {
  const letters = await readLetters(on, { max: 5, first: "oldest" });
  const items = letters.flatMap(({ value }) => (value ? [{ deadLetterId: value.deadLetterId }] : []));
  await requeueBatch(on, { operationId: randomUUID(), actor: "a", items });
}

test("the server killed again and again under producers, workers and requeues: what was answered is there, nothing twice", async () => {
  const stop = new AbortController();
  const [producing, working, other, operator] = await Promise.all([1, 2, 3, 4].map(() => queue.another()));
  if (!producing || !working || !other || !operator) throw new Error("not connected");
  const lives = [
    keepOn(stop.signal, () => produce(producing)),
    ...[working, other].map((on) => {
      const runtime = newRuntime();
      return keepOn(stop.signal, () => work(on, runtime));
    }),
    keepOn(stop.signal, () => Promise.all([requeue(operator), tick(operator)])),
  ];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(300);
    await own.crash();
  }
  await sleep(300);
  stop.abort();
  await Promise.all(lives);

  for (const { runtime } of (await readDepths(queue)).runtimes) await queue.admin.hset(queue.keys.runtimes, runtime, 1);
  await returnLeftovers(queue, newRuntime(), { goneAfterMs: 1_000 });
  const { pending, retrying, processing, dead } = await bytesOf(queue);
  expect(processing).toEqual([]);
  const there = [
    ...[...pending, ...retrying].map((bytes) => number(readEntry(bytes)?.item)),
    ...dead.map((bytes) => number(readLetter(bytes)?.item)),
  ];
  expect(there.filter((n, at) => there.indexOf(n) !== at)).toEqual([]);
  const known = new Set(there);
  const lost = [...book.appended].filter(([n, how]) => how === "sure" && !known.has(n) && !book.acked.has(n));
  expect(lost).toEqual([]);
  expect(there.filter((n) => book.acked.get(n) === "sure" || !book.appended.has(n))).toEqual([]);
  expect([...book.acked.values()].filter((how) => how === "sure").length).toBeGreaterThan(5);
});
