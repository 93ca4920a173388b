import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bytesOf, countsOf, idsOf, keysOf, openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import {
  ackEntries,
  appendItems,
  beat,
  deadLetterEntry,
  leave,
  newRuntime,
  readDepths,
  readLetters,
  readOutcomes,
  releaseEntry,
  requeueOne,
  retryEntry,
  type Taken,
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

const items = (...values: unknown[]) => values.map((value) => Buffer.from(JSON.stringify(value)));

async function takeOne(runtime: string): Promise<Taken<unknown> & { entry: NonNullable<Taken<unknown>["entry"]> }> {
  const [taken] = await takeEntries(queue, runtime);
  if (!taken?.entry) throw new Error("nothing was taken");
  return { ...taken, entry: taken.entry };
}

/** Appends one item and lets it die; answers its letter's id. */
async function letterOf(value: unknown, runtime: string): Promise<string> {
  await appendItems(queue, items(value));
  const dead = await deadLetterEntry(queue, runtime, await takeOne(runtime), "broken");
  if (dead.kind !== "dead") throw new Error("not dead");
  return dead.deadLetterId;
}

test("entries are taken in the order they came, with the item's value and the store's time, and acked out of being", async () => {
  const runtime = newRuntime();
  const [seconds] = await queue.admin.time();
  const { entryIds, enqueuedAt, pending } = await appendItems(queue, items({ n: 1 }, { n: 2 }));
  expect(pending).toBe(2);
  expect(Math.abs(Date.parse(enqueuedAt) / 1_000 - Number(seconds))).toBeLessThan(5);
  expect(enqueuedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const taken = await takeEntries(queue, runtime, 5);
  expect(taken.map(({ entry }) => entry?.entryId)).toEqual(entryIds);
  expect(taken.map(({ item }) => item)).toEqual([
    { ok: true, value: { n: 1 } },
    { ok: true, value: { n: 2 } },
  ]);
  expect(taken[0]?.entry).toMatchObject({ attempts: 0, enqueuedAt, requeuedFrom: null, operationId: null });
  expect(await ackEntries(queue, runtime, taken)).toEqual(["acked", "acked"]);
  expect(await idsOf(queue)).toEqual({ pending: [], retrying: [], processing: [], dead: [] });
  expect(await countsOf(queue)).toEqual({ queued: 2, done: 2 });
});

test("what failed is not taken again before the next tick, then comes behind all others with one attempt more", async () => {
  const runtime = newRuntime();
  const { entryIds } = await appendItems(queue, items("a", "b"));
  expect(await retryEntry(queue, runtime, await takeOne(runtime))).toBe("retrying");
  expect(await idsOf(queue)).toMatchObject({ pending: [entryIds[1]], retrying: [entryIds[0]], processing: [] });
  expect(await tick(queue)).toBe(1);
  expect(await idsOf(queue)).toMatchObject({ pending: [entryIds[1], entryIds[0]], retrying: [] });
  const [, again] = await takeEntries(queue, runtime, 2);
  expect(again?.entry).toMatchObject({ entryId: entryIds[0], attempts: 1 });
  expect(await countsOf(queue)).toEqual({ queued: 2, failed: 1 });
});

test("a dead letter keeps entry, attempts, error and item, and is put back as a fresh entry with where it came from", async () => {
  const runtime = newRuntime();
  await appendItems(queue, items({ a: 1 }));
  await retryEntry(queue, runtime, await takeOne(runtime));
  await tick(queue);
  const taken = await takeOne(runtime);
  const dead = await deadLetterEntry(queue, runtime, taken, 'it said "no"\n');
  const [letter] = await readLetters(queue, { max: 10, first: "newest" });
  expect(letter?.value).toMatchObject({
    ...(dead.kind === "dead" && { deadLetterId: dead.deadLetterId }),
    entryId: taken.entry.entryId,
    failedAttempts: 2,
    error: 'it said "no"\n',
    requeuedFrom: null,
    item: Buffer.from('{"a":1}'),
  });
  const deadLetterId = letter?.value?.deadLetterId ?? "";
  const answer = await requeueOne(queue, { deadLetterId, actor: "me" });
  expect(answer).toMatchObject({ kind: "requeued", deadLetterId });
  const fresh = await takeOne(runtime);
  expect(fresh.entry).toMatchObject({ attempts: 0, requeuedFrom: deadLetterId, item: Buffer.from('{"a":1}') });
  expect(fresh.entry.entryId).toBe(answer.kind === "requeued" && answer.entryId);
  expect(fresh.entry.entryId).not.toBe(taken.entry.entryId);
  expect(await idsOf(queue)).toMatchObject({ pending: [], dead: [] });
});

test("success, settling without effect and dying again of a requeued entry each leave their outcome, under the letter", async () => {
  const runtime = newRuntime();
  const letters: string[] = [];
  for (const value of [1, 2, 3]) letters.push(await letterOf(value, runtime));
  for (const deadLetterId of letters) await requeueOne(queue, { deadLetterId, actor: "me" });
  const taken = await takeEntries(queue, runtime, 3);
  const [done, moot, bad] = taken;
  if (!done || !moot || !bad) throw new Error("three were requeued");
  await ackEntries(queue, runtime, [done]);
  await ackEntries(queue, runtime, [moot], { outcome: "superseded", count: "skipped_reconnected" });
  const dead = await deadLetterEntry(queue, runtime, bad, "again");
  const outcomes = await readOutcomes(queue, [...letters, "no such letter"]);
  expect(outcomes).toEqual([
    expect.objectContaining({
      outcome: "recovered",
      entry_id: done.entry?.entryId,
      operation_id: done.entry?.operationId,
    }),
    expect.objectContaining({ outcome: "superseded", entry_id: moot.entry?.entryId }),
    expect.objectContaining({
      outcome: "died_again",
      entry_id: bad.entry?.entryId,
      next_dead_letter_id: dead.kind === "dead" && dead.deadLetterId,
    }),
    null,
  ]);
  const counts = { queued: 3, dead: 4, requeued: 3, done: 1, skipped_reconnected: 1 };
  expect(await countsOf(queue)).toEqual(counts);
  const [letter] = await readLetters(queue, { max: 1, first: "newest" });
  expect(letter?.value).toMatchObject({ requeuedFrom: letters[2], operationId: bad.entry?.operationId });
});

test("a settle of what is not held is stale, whoever asks, and leaves nothing behind", async () => {
  const [holder, other] = [newRuntime(), newRuntime()];
  await letterOf("x", holder).then((deadLetterId) => requeueOne(queue, { deadLetterId, actor: "me" }));
  const taken = await takeOne(holder);
  const [before, counts, keys] = [await bytesOf(queue), await countsOf(queue), await keysOf(queue)];
  const unheld = async (runtime: string) => {
    expect(await ackEntries(queue, runtime, [taken])).toEqual(["stale"]);
    expect(await retryEntry(queue, runtime, taken)).toBe("stale");
    expect(await deadLetterEntry(queue, runtime, taken, "late")).toEqual({ kind: "stale" });
    expect(await releaseEntry(queue, runtime, taken)).toBe("stale");
  };
  await unheld(other);
  expect([await bytesOf(queue), await countsOf(queue), await keysOf(queue)]).toEqual([before, counts, keys]);
  await ackEntries(queue, holder, [taken]);
  const after = [await bytesOf(queue), await countsOf(queue), await keysOf(queue)];
  await unheld(holder);
  expect([await bytesOf(queue), await countsOf(queue), await keysOf(queue)]).toEqual(after);
});

test("what is given back unworked is the next to be taken, byte for byte, and nothing is counted", async () => {
  const runtime = newRuntime();
  const { entryIds } = await appendItems(queue, items(1, 2, 3));
  const before = await bytesOf(queue);
  const taken = await takeEntries(queue, runtime, 2);
  for (const each of taken.reverse()) expect(await releaseEntry(queue, runtime, each)).toBe("released");
  expect(await bytesOf(queue)).toEqual(before);
  expect((await takeOne(runtime)).entry.entryId).toBe(entryIds[0]);
  expect(await countsOf(queue)).toEqual({ queued: 3 });
});

test("depths tell each list, each runtime with its heartbeat, and null where a key is of another type", async () => {
  const runtime = newRuntime();
  await appendItems(queue, items(1, 2, 3, 4));
  const [first, second] = await takeEntries(queue, runtime, 3);
  if (!first?.entry || !second) throw new Error("nothing was taken");
  await retryEntry(queue, runtime, { bytes: first.bytes, entry: first.entry });
  await deadLetterEntry(queue, runtime, second, "broken");
  const beatMs = await beat(queue, runtime);
  const depths = await readDepths(queue);
  expect(depths).toMatchObject({
    pending: 1,
    retrying: 1,
    plainProcessing: 0,
    runtimes: [{ runtime, beatMs, processing: 1 }],
    deadLetter: 1,
  });
  expect(depths.atMs - beatMs).toBeLessThan(5_000);
  await queue.admin.set(queue.keys.retrying, "no list");
  await queue.admin.set(queue.keys.runtimes, "no hash");
  expect(await readDepths(queue)).toMatchObject({ pending: 1, retrying: null, runtimes: [], deadLetter: 1 });
});

test("a runtime that stops is known no longer, unless it still holds something", async () => {
  const runtime = newRuntime();
  await appendItems(queue, items(1));
  const taken = await takeOne(runtime);
  expect(await leave(queue, runtime)).toBe("holds");
  await ackEntries(queue, runtime, [taken]);
  expect(await leave(queue, runtime)).toBe("left");
  expect((await readDepths(queue)).runtimes).toEqual([]);
});
