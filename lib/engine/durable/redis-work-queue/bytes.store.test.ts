import { afterAll, beforeAll, expect, test } from "vitest";
import { bytesOf, openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import {
  ackEntries,
  appendItems,
  deadLetterEntry,
  newRuntime,
  readLetters,
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
  queue = await openTestQueue(stores.redisUrl("engine"), stores.redisUrl("admin"));
});
afterAll(async () => {
  await queue.close();
  await stores.close();
});

const runtime = newRuntime();

/** What a queue may be given as an item, and what may stand in its list by itself. */
const ODD: Record<string, Buffer> = {
  "integers over 2^53": Buffer.from('{"n":[9007199254740993,-18446744073709551617]}'),
  "numbers beyond a double": Buffer.from('{"n":1e400,"m":-0,"l":1.0}'),
  "empty lists and objects": Buffer.from('{"a":[],"o":{}}'),
  "a bare empty list": Buffer.from("[]"),
  "duplicate keys": Buffer.from('{"a":1,"a":2,"item":3,"item":4}'),
  "half an envelope": Buffer.from('{"entry_id":"other","attempts":99,"item_b64":"eA"}'),
  "half a surrogate pair": Buffer.from('"\\ud800"'),
  "blanks inside and escapes": Buffer.from('{ "b" :\n"\\u00e9\\/",\t"10":1,"9":2 }'),
  "blanks around": Buffer.from(' {"a":1}\n'),
  "four bytes a character": Buffer.from('"🜂 Ångström \ufeff"'),
  "not JSON": Buffer.from('[1e400, {"a": 1, "a": '),
  "not UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x80, 0x22, 0x7d]),
  NULs: Buffer.from([0, 0x61, 0, 0, 0x22, 0]),
  "a NUL in JSON's place": Buffer.from('{"a":1}\0'),
  empty: Buffer.alloc(0),
  "a hundred thousand levels of nesting": Buffer.from("[".repeat(100_000) + "]".repeat(100_000)),
  "5 MB of JSON": Buffer.from(`"${"y".repeat(5_000_000)}"`),
  "5 MB of anything": Buffer.alloc(5_000_000, Buffer.from([0, 1, 0x22, 0xff, 0x5c])),
};

async function takeOne(): Promise<Taken<unknown>> {
  const [taken] = await takeEntries(queue, runtime);
  if (!taken) throw new Error("nothing was taken");
  return taken;
}

async function takeEntry() {
  const { bytes, entry } = await takeOne();
  if (!entry) throw new Error("not an entry");
  return { bytes, entry };
}

const lastLetter = async () => (await readLetters(queue, { max: 1, first: "newest" }))[0]?.value ?? null;

test.each(Object.entries(ODD))(
  "an item of %s: byte for byte through failure, death and requeue",
  async (_what, item) => {
    await appendItems(queue, [item]);
    await retryEntry(queue, runtime, await takeEntry());
    await tick(queue);
    const failed = await takeEntry();
    expect(failed.entry.attempts).toBe(1);
    expect(failed.entry.item.equals(item)).toBe(true);
    await deadLetterEntry(queue, runtime, failed, "broken");
    const letter = await lastLetter();
    expect(letter?.item.equals(item)).toBe(true);
    await requeueOne(queue, { deadLetterId: letter?.deadLetterId ?? "", actor: "a" });
    const fresh = await takeEntry();
    expect(fresh.entry.item.equals(item)).toBe(true);
    expect(await ackEntries(queue, runtime, [fresh])).toEqual(["acked"]);
  },
);

test.each(Object.entries(ODD))(
  "bytes of %s that are no entry: dead with all of them, and put back as they were",
  async (_what, bytes) => {
    await queue.admin.lpush(queue.keys.pending, bytes);
    const taken = await takeOne();
    expect(taken).toMatchObject({ entry: null, item: { ok: false, error: expect.stringContaining("parse error") } });
    expect(await deadLetterEntry(queue, runtime, taken, "parse error")).toMatchObject({ kind: "dead" });
    const letter = await lastLetter();
    expect(letter?.entryId).toBe("");
    expect(letter?.item.equals(bytes)).toBe(true);
    const answer = await requeueOne(queue, { deadLetterId: letter?.deadLetterId ?? "", actor: "a" });
    expect(answer).toMatchObject({ kind: "requeued", entryId: null });
    const back = await takeOne();
    expect(back.bytes.equals(bytes)).toBe(true);
    expect(await ackEntries(queue, runtime, [back])).toEqual(["acked"]);
  },
);

test("an entry of another writer, in any order and with fields of its own, fails with one number changed and nothing else", async () => {
  const text = (attempts: number) =>
    ` { "item" : {"a":[],"n":9007199254740993},\n"who":"another", "attempts": ${attempts} ,"entry_id":"e-1"} `;
  await queue.admin.lpush(queue.keys.pending, text(9));
  const taken = await takeEntry();
  expect(taken.entry).toMatchObject({ entryId: "e-1", attempts: 9, enqueuedAt: null });
  await retryEntry(queue, runtime, taken);
  expect((await bytesOf(queue)).retrying.map(String)).toEqual([text(10)]);
  await tick(queue);
  await ackEntries(queue, runtime, [await takeEntry()]);
});

test("twins of the same bytes are two pieces of work: each is removed by itself, from whatever list", async () => {
  const twin = Buffer.from('{"entry_id":"t","attempts":0,"enqueued_at":"2026-11-14T03:29:08.412Z","item":1}');
  await queue.admin.lpush(queue.keys.pending, twin, twin, twin, twin, twin);
  const held = await takeEntries(queue, runtime, 5);
  const [acked, failed, dead] = held;
  if (!acked || !failed?.entry || !dead) throw new Error("nothing was taken");
  await ackEntries(queue, runtime, [acked]);
  expect((await bytesOf(queue)).processing).toHaveLength(4);
  await retryEntry(queue, runtime, { bytes: failed.bytes, entry: failed.entry });
  expect((await bytesOf(queue)).processing).toHaveLength(3);
  await deadLetterEntry(queue, runtime, dead, "broken");
  expect((await bytesOf(queue)).processing).toEqual([twin, twin]);
  expect(await ackEntries(queue, runtime, [acked, acked, acked])).toEqual(["acked", "acked", "stale"]);
  const { pending, retrying, dead: letters } = await bytesOf(queue);
  expect([pending.length, retrying.length, letters.length]).toEqual([0, 1, 1]);
});
