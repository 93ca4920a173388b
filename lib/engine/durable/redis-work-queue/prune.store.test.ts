import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keysOf, openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import {
  ackEntries,
  appendItems,
  deadLetterEntry,
  KEPT,
  newRuntime,
  prune,
  readOperation,
  readOutcomes,
  requeueBatch,
  takeEntries,
} from ".";

let stores: TestStores;
let queue: TestQueue;
beforeAll(async () => {
  stores = await openStores("bare");
  queue = await openTestQueue(stores.redisUrl("engine"), stores.redisUrl("admin"));
});
afterAll(async () => {
  await queue.close();
  await stores.close();
});

const DAY_MS = 24 * 3_600_000;

/** A letter that is requeued and recovers; answers its id and its operation's. */
async function recovered(): Promise<[letter: string, operation: string]> {
  const [runtime, operationId] = [newRuntime(), randomUUID()];
  await appendItems(queue, [Buffer.from("{}")]);
  const [taken] = await takeEntries(queue, runtime);
  const dead = taken && (await deadLetterEntry(queue, runtime, taken, "x"));
  if (dead?.kind !== "dead") throw new Error("not dead");
  await requeueBatch(queue, { operationId, actor: "a", items: [{ deadLetterId: dead.deadLetterId }] });
  await ackEntries(queue, runtime, await takeEntries(queue, runtime));
  return [dead.deadLetterId, operationId];
}

/** Makes everything that was written so far so much older. */
async function age(days: number): Promise<void> {
  const { admin, keys } = queue;
  for (const key of [keys.outcomesAt, keys.operationsAt]) {
    for (const name of await admin.zrange(key, 0, -1)) await admin.zincrby(key, -days * DAY_MS, name);
  }
  for (const [field, count] of Object.entries(await admin.hgetall(keys.minutes))) {
    const [minute, word] = field.split(" ");
    await admin.hdel(keys.minutes, field);
    await admin.hset(keys.minutes, `${Number(minute) - days * DAY_MS} ${word}`, count);
  }
}

test("traces are kept for 30 days and counts for two, and then go; the younger stay", async () => {
  const [oldLetter, oldOperation] = await recovered();
  await age(29);
  expect(await prune(queue)).toBe(4);
  expect(await readOutcomes(queue, [oldLetter])).toMatchObject([{ outcome: "recovered" }]);
  await age(2);
  const [letter, operation] = await recovered();
  // The outcome; the answer, its span, and by whom the letter was requeued.
  expect(await prune(queue, KEPT)).toBe(4);
  expect(await readOutcomes(queue, [oldLetter, letter])).toMatchObject([null, { outcome: "recovered" }]);
  expect(await readOperation(queue, oldOperation)).toEqual([]);
  expect(await readOperation(queue, operation)).toHaveLength(1);
  await age(31);
  await prune(queue);
  expect(await keysOf(queue)).toEqual(["runtimes"]);
});

test("more than one step's worth goes, in steps", async () => {
  const fields = Array.from({ length: 1_200 }, (_, n) => [String(n), `op letter${n}`]).flat();
  await queue.admin.zadd(queue.keys.operationsAt, ...fields);
  await queue.admin.hset(
    queue.keys.operations,
    ...fields.map((field, n) => (n % 2 === 0 ? `op letter${field}` : "{}")),
  );
  expect(await prune(queue)).toBe(1_200);
  expect(await queue.admin.exists(queue.keys.operations, queue.keys.operationsAt)).toBe(0);
});
