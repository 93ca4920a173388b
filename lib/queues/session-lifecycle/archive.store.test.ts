import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createReadRedis } from "@/lib/db/redis";
import { findQueue } from "@/lib/queues";
import type { ArchiveReader } from "@/lib/queues/queue";
import { cleanupItem, dieInJournal, openJournal, requeueInJournal, settleInJournal } from "@/scripts/testing/journal";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { JOURNAL_KEYS } from "./keys";

let stores: TestStores;
let journal: Awaited<ReturnType<typeof openJournal>>;
let admin: Redis;
let redis: Redis;
let archive: ArchiveReader;
beforeAll(async () => {
  stores = await openStores("bare");
  journal = await openJournal(stores);
  admin = journal.admin;
});
beforeEach(async () => {
  await admin.flushdb();
  redis?.disconnect();
  redis = createReadRedis(stores.redisUrl("console"), "archive");
  const hashToken = (token: string) => Buffer.from(token).toString("hex");
  const reader = findQueue("session-lifecycle", { game: null, redis, rpc: null, hashToken })?.archive;
  if (!reader) throw new Error("the journal keeps no letters");
  archive = reader;
});
afterAll(async () => {
  redis?.disconnect();
  await journal.close();
  await stores.close();
});

const after = (place: Parameters<ArchiveReader["listAfter"]>[0], limit: number) =>
  archive.listAfter(place, { months: 13, limit });
let died = 0;
/** Each at an instant of its own. */
const many = (count: number) =>
  dieInJournal(
    admin,
    Array.from({ length: count }, () => ({ diedAt: new Date(Date.UTC(2026, 10, 14) + ++died).toISOString() })),
  );

test("letters are listed in the order of death, page by page, each once, also while others die and leave", async () => {
  const ids = await many(95);
  const seen: string[] = [];
  let place: Parameters<ArchiveReader["listAfter"]>[0] = null;
  for (let page = 0; ; page += 1) {
    const { keys, settled } = await after(place, 20);
    seen.push(...keys.map(({ letterId }) => letterId));
    expect(settled).toEqual(keys.at(-1) ?? null);
    if (keys.length < 20) break;
    place = keys.at(-1) ?? null;
    // Behind the place, at it, and new ones.
    if (page === 1) for (const n of [3, 39]) await requeueInJournal(admin, ids[n] as string);
    if (page === 2) ids.push(...(await many(7)));
  }
  expect(seen).toEqual(ids);
});

test("who comes back with a place that has left the list goes on behind what died before it", async () => {
  const ids = await dieInJournal(
    admin,
    Array.from({ length: 40 }, (_, n) => ({ diedAt: new Date(Date.UTC(2026, 10, 14, 3, 0, n)).toISOString() })),
  );
  // As the archive's own database writes the instant; and no process has seen the letter.
  const place = { letterId: ids[24] as string, diedAt: "2026-11-14 03:00:24+00" };
  await requeueInJournal(admin, ids[24] as string);
  expect((await after(place, 100)).keys.map(({ letterId }) => letterId)).toEqual(ids.slice(25));
  expect((await after({ letterId: "x", diedAt: "-infinity" }, 100)).keys).toHaveLength(39);
});

test("the walk goes through all letters in bounded steps, round and round", async () => {
  const ids = await many(25);
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const step = await archive.listById(next, { months: 13, limit: 10 });
    expect(step.keys.length).toBeLessThanOrEqual(10);
    seen.push(...step.keys.map(({ letterId }) => letterId));
    next = step.next;
  } while (next !== null);
  expect(seen).toEqual(ids);
});

test("a letter is kept with its labels, its hash and its token's keyed hash, and without the token", async () => {
  const token = "token-that-nobody-may-see";
  const item = cleanupItem({ session_token: token, plan: "confirmed_transfer" });
  const diedAt = "2026-11-14T03:02:07.125Z";
  const [id = ""] = await dieInJournal(admin, [
    { item, diedAt, error: `refused: ${token}`, requeuedFrom: randomUUID() },
  ]);
  const [letter] = await archive.readLetters([id, randomUUID()]);
  expect(letter).toMatchObject({
    diedAt,
    kind: "realtime_stream_cleanup",
    labels: { realm: "aether-eu", zone: "embergate", source: "realtime", plan: "confirmed_transfer" },
    error: "refused: ‹redacted›",
    payloadBytes: Buffer.byteLength(item),
    tokenHash: Buffer.from(token).toString("hex"),
    requeued: false,
  });
  expect(JSON.stringify(letter)).not.toContain(token);
});

test("what a letter is now: dead while it is in the list, then what the engine keeps of its requeue, else gone", async () => {
  const ids = await many(6);
  const [dead = "", waits = "", done = "", again = "", deleted = "", later = ""] = ids;
  const states = async () => {
    const found = await archive.readStates(ids.map((letterId) => ({ letterId, jobId: null })));
    return ids.map((id) => found.get(id) ?? null);
  };
  expect(await states()).toEqual(ids.map(() => ({ kind: "dead" })));
  const entry = await requeueInJournal(admin, waits);
  await settleInJournal(admin, done, await requeueInJournal(admin, done), "recovered");
  const [next = ""] = await many(1);
  await settleInJournal(admin, again, await requeueInJournal(admin, again), { diedAs: next });
  const letters = await admin.lrangeBuffer(JOURNAL_KEYS.deadLetter, 0, -1);
  await admin.lrem(JOURNAL_KEYS.deadLetter, 1, letters.find((each) => each.includes(deleted)) as Buffer);
  // What this process has read just now may not be read again at once: it says nothing rather than something old.
  const unsure = await states();
  expect(unsure[0] === null || unsure[0]?.kind === "dead").toBe(true);
  expect(unsure[4]).toBeNull();
  redis.disconnect();
  redis = createReadRedis(stores.redisUrl("console"), "again");
  const fresh = findQueue("session-lifecycle", { game: null, redis, rpc: null })?.archive as ArchiveReader;
  const found = await fresh.readStates([...ids, next].map((letterId) => ({ letterId, jobId: null })));
  expect(found.get(dead)).toEqual({ kind: "dead" });
  expect(found.get(later)).toEqual({ kind: "dead" });
  expect(found.get(next)).toEqual({ kind: "dead" });
  expect(found.get(waits)).toMatchObject({ kind: "requeued", jobId: entry, outcome: null });
  expect(found.get(done)).toMatchObject({ kind: "requeued", outcome: { outcome: "recovered" } });
  expect(found.get(again)).toMatchObject({ kind: "requeued", outcome: { outcome: "died_again", nextLetterId: next } });
  expect(found.get(deleted)).toEqual({ kind: "gone", outcome: null });
});
