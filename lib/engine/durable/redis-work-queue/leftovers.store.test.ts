import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { countsOf, idsOf, openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import {
  ackEntries,
  appendItems,
  beat,
  deadLetterEntry,
  newRuntime,
  POISON_ERROR,
  readDepths,
  readLetters,
  readOutcomes,
  requeueOne,
  retryEntry,
  returnLeftovers,
  takeEntries,
  tick,
} from ".";

let stores: TestStores;
let queue: TestQueue;
beforeAll(async () => {
  stores = await openStores("bare");
});
beforeEach(async () => {
  queue = await openTestQueue(stores.redisUrl("engine"), stores.redisUrl("admin"));
});
afterEach(() => queue.close());
afterAll(() => stores.close());

const GONE = { goneAfterMs: 30_000 };
const items = (count: number) => Array.from({ length: count }, (_, n) => Buffer.from(`{"n":${n}}`));

/** As if it had been silent for an hour, on the store's clock. */
async function fallSilent(runtime: string): Promise<void> {
  const [seconds] = await queue.admin.time();
  await queue.admin.hset(queue.keys.runtimes, runtime, (Number(seconds) - 3_600) * 1_000);
}

/** Taken by a runtime that then dies. */
async function takenByTheDead(count: number): Promise<string> {
  const runtime = newRuntime();
  for (let n = 0; n < count; n += 500) await takeEntries(queue, runtime, Math.min(500, count - n));
  await fallSilent(runtime);
  return runtime;
}

test("what a dead runtime had in hand is the next to be taken, in its old order, each once; the runtime is forgotten", async () => {
  const { entryIds } = await appendItems(queue, items(5));
  await takenByTheDead(3);
  expect(await returnLeftovers(queue, newRuntime(), GONE)).toEqual({ returned: 3, dead: 0 });
  expect(await idsOf(queue)).toEqual({ pending: entryIds, retrying: [], processing: [], dead: [] });
  expect((await readDepths(queue)).runtimes).toEqual([]);
  expect(await countsOf(queue)).toEqual({ queued: 5, returned: 3 });
});

test("a start steals nothing from the living, nor from one whose heartbeat it cannot read, nor from itself", async () => {
  await appendItems(queue, items(3));
  const [living, strange, own] = [newRuntime(), newRuntime(), newRuntime()];
  for (const runtime of [living, strange, own]) await takeEntries(queue, runtime);
  await queue.admin.hset(queue.keys.runtimes, strange, "2026-11-14T03:29:08Z");
  await fallSilent(own);
  const before = await idsOf(queue);
  expect(await returnLeftovers(queue, own, GONE)).toEqual({ returned: 0, dead: 0 });
  expect(await idsOf(queue)).toEqual(before);
});

test("a runtime is gone after its time without a heartbeat, on the store's clock, and a take is a heartbeat", async () => {
  await appendItems(queue, items(2));
  const runtime = newRuntime();
  await fallSilent(runtime);
  await takeEntries(queue, runtime);
  expect(await returnLeftovers(queue, newRuntime(), { goneAfterMs: 5_000 })).toEqual({ returned: 0, dead: 0 });
  await sleep(60);
  expect(await returnLeftovers(queue, newRuntime(), { goneAfterMs: 50 })).toEqual({ returned: 1, dead: 0 });
});

test("one that was only slow finds its work gone: its settle is stale, and what it takes then is its own again", async () => {
  const { entryIds } = await appendItems(queue, items(1));
  const slow = newRuntime();
  const [held] = await takeEntries(queue, slow);
  if (!held?.entry) throw new Error("nothing was taken");
  await fallSilent(slow);
  await returnLeftovers(queue, newRuntime(), GONE);
  expect(await ackEntries(queue, slow, [held])).toEqual(["stale"]);
  expect(await retryEntry(queue, slow, { bytes: held.bytes, entry: held.entry })).toBe("stale");
  expect(await idsOf(queue)).toMatchObject({ pending: entryIds, processing: [] });
  await takeEntries(queue, slow);
  expect(await returnLeftovers(queue, newRuntime(), GONE)).toEqual({ returned: 0, dead: 0 });
  expect(await idsOf(queue)).toMatchObject({ pending: [], processing: entryIds });
});

test("two starts at once bring 620 leftovers of three runtimes back once each, while a third takes and acks", async () => {
  const ids: string[] = [];
  for (const size of [310, 310]) ids.push(...(await appendItems(queue, items(size))).entryIds);
  for (const size of [520, 60, 40]) await takenByTheDead(size);
  const [one, two, worker] = [await queue.another(), await queue.another(), await queue.another()];
  const acked: string[] = [];
  let working = true;
  const runtime = newRuntime();
  const work = async () => {
    while (working || (await queue.admin.llen(queue.keys.pending)) > 0) {
      const taken = await takeEntries(worker, runtime, 20);
      const answers = await ackEntries(worker, runtime, taken);
      for (const [n, { entry }] of taken.entries()) if (answers[n] === "acked") acked.push(entry?.entryId ?? "");
    }
  };
  const worked = work();
  const [first, second] = await Promise.all([
    returnLeftovers(one, newRuntime(), GONE),
    returnLeftovers(two, newRuntime(), GONE),
  ]);
  working = false;
  await worked;
  expect(first.returned + second.returned).toBe(620);
  expect(acked.sort()).toEqual(ids.sort());
  expect(await idsOf(queue)).toEqual({ pending: [], retrying: [], processing: [], dead: [] });
  expect(await queue.admin.exists(queue.keys.returns)).toBe(0);
});

test("the third return without a recorded failure is a dead letter, unrun, and says so", async () => {
  const { entryIds } = await appendItems(queue, items(1));
  for (const dead of [0, 0, 1]) {
    await takenByTheDead(1);
    expect(await returnLeftovers(queue, newRuntime(), GONE)).toEqual({ returned: 1 - dead, dead });
  }
  const [letter] = await readLetters(queue, { max: 5, first: "oldest" });
  expect(letter?.value).toMatchObject({
    entryId: entryIds[0],
    failedAttempts: 0,
    error: POISON_ERROR,
    item: items(1)[0],
  });
  expect(await idsOf(queue)).toEqual({ pending: [], retrying: [], processing: [], dead: entryIds });
  expect(await countsOf(queue)).toEqual({ queued: 1, returned: 2, dead: 1 });
  expect(await queue.admin.exists(queue.keys.returns)).toBe(0);
});

test("a recorded failure sets the count of returns back", async () => {
  await appendItems(queue, items(1));
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 2; n += 1) {
      await takenByTheDead(1);
      expect(await returnLeftovers(queue, newRuntime(), GONE)).toEqual({ returned: 1, dead: 0 });
    }
    const runtime = newRuntime();
    const [taken] = await takeEntries(queue, runtime);
    if (!taken?.entry) throw new Error("nothing was taken");
    await retryEntry(queue, runtime, { bytes: taken.bytes, entry: taken.entry });
    await tick(queue);
  }
  expect((await idsOf(queue)).dead).toEqual([]);
});

test("poison that came from a requeue tells its letter that it died again; what is no entry dies with all its bytes", async () => {
  await appendItems(queue, items(1));
  const runtime = newRuntime();
  const [taken] = await takeEntries(queue, runtime);
  const died = taken && (await deadLetterEntry(queue, runtime, taken, "broken"));
  if (died?.kind !== "dead") throw new Error("not dead");
  await requeueOne(queue, { deadLetterId: died.deadLetterId, actor: "me" });
  await queue.admin.lpush(queue.keys.pending, "garbage");
  for (let n = 0; n < 3; n += 1) {
    await takenByTheDead(2);
    await returnLeftovers(queue, newRuntime(), GONE);
  }
  const letters = (await readLetters(queue, { max: 5, first: "oldest" })).map(({ value }) => value);
  expect(letters.map((letter) => letter?.error)).toEqual([POISON_ERROR, POISON_ERROR]);
  const requeued = letters.find((letter) => letter?.requeuedFrom === died.deadLetterId);
  expect(letters.find((letter) => letter?.entryId === "")?.item.toString()).toBe("garbage");
  expect(await readOutcomes(queue, [died.deadLetterId])).toEqual([
    expect.objectContaining({ outcome: "died_again", next_dead_letter_id: requeued?.deadLetterId }),
  ]);
});

/** A start's connection on which `then` happens once, between its look and its move. */
async function interrupted(then: () => Promise<unknown>) {
  const late = await queue.another();
  const { hmget } = late.redis;
  let waiting = true;
  late.redis.hmget = (async (...args: Parameters<typeof hmget>) => {
    const answer = await hmget.apply(late.redis, args);
    if (waiting) await then();
    waiting = false;
    return answer;
  }) as typeof hmget;
  return late;
}

test("a heartbeat that came between the look and the move keeps what its runtime holds", async () => {
  const { entryIds } = await appendItems(queue, items(2));
  const runtime = await takenByTheDead(2);
  const late = await interrupted(() => beat(queue, runtime));
  expect(await returnLeftovers(late, newRuntime(), GONE)).toEqual({ returned: 0, dead: 0 });
  expect(await idsOf(queue)).toMatchObject({ pending: [], processing: entryIds });
});

test("a start that finds other entries than it looked at touches none of them before it has looked again", async () => {
  const { entryIds } = await appendItems(queue, items(4));
  const runtime = await takenByTheDead(4);
  const [, , , newest = ""] = entryIds;
  await queue.admin.hset(queue.keys.returns, newest, 2);
  // Another start has brought the newest back meanwhile, which by this one's look is due to die.
  const late = await interrupted(() =>
    queue.admin.lmove(queue.keys.processingOf(runtime), queue.keys.pending, "LEFT", "RIGHT"),
  );
  expect(await returnLeftovers(late, newRuntime(), GONE)).toEqual({ returned: 3, dead: 0 });
  expect(await idsOf(queue)).toEqual({ pending: entryIds, retrying: [], processing: [], dead: [] });
});
