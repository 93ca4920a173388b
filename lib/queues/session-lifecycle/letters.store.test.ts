import { randomBytes, randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createReadRedis } from "@/lib/db/redis";
import {
  cleanupItem,
  dieInJournal,
  entryBytes,
  letterBytes,
  openJournal,
  requeueInJournal,
} from "@/scripts/testing/journal";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { sessionLifecycle } from ".";
import { JOURNAL_KEYS } from "./keys";

let stores: TestStores;
let journal: Awaited<ReturnType<typeof openJournal>>;
let admin: Redis;
let redis: Redis;
beforeAll(async () => {
  stores = await openStores("bare");
  journal = await openJournal(stores);
  admin = journal.admin;
  redis = createReadRedis(stores.redisUrl("console"), "letters");
});
beforeEach(() => admin.flushdb());
afterAll(async () => {
  redis.disconnect();
  await journal.close();
  await stores.close();
});

const queue = () => sessionLifecycle({ game: null, redis, rpc: null });
const find = async (id: string) => (await queue().letters?.findLetter(id)) ?? null;

test("depths are the lengths of the lists: what failed waits as well, and every runtime's work is in hand", async () => {
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  await admin.lpush(
    JOURNAL_KEYS.pending,
    entryBytes({ enqueuedAt: ago(90_000) }),
    entryBytes({ enqueuedAt: ago(10_000) }),
  );
  await admin.lpush(JOURNAL_KEYS.retrying, entryBytes({ enqueuedAt: ago(120_000), attempts: 3 }));
  await admin.lpush(JOURNAL_KEYS.processing, entryBytes());
  await admin.lpush(JOURNAL_KEYS.processingOf("a"), entryBytes(), entryBytes());
  await admin.hset(JOURNAL_KEYS.runtimes, "a", String(Date.now()), "gone", "12");
  await dieInJournal(admin, [{}, {}, {}, {}]);
  const depths = await queue().readDepths();
  expect(depths).toMatchObject({ kind: "read", value: { due: 3, processing: 3, dead: 4, retrying: null } });
  const age = depths.kind === "read" ? depths.value.oldestDueMs : null;
  expect(age).toBeGreaterThan(119_000);
  expect(age).toBeLessThan(125_000);
});

test("a letter is shown with what its item says, and no session token in any part of it", async () => {
  const token = `token-${randomUUID()}`;
  const item = cleanupItem({ session_token: token, plan: "permanent_removal" }, { character_name: "Sella" });
  const [id = ""] = await dieInJournal(admin, [{ item, error: `no ledger for ${token}`, attempts: 8 }]);
  const letter = await find(id);
  expect(letter).toMatchObject({
    queue: "session-lifecycle",
    kind: "realtime_stream_cleanup",
    subjectName: "Sella",
    realmId: "aether-eu",
    zoneId: "embergate",
    attempts: 8,
    state: "active",
    error: "no ledger for ‹redacted›",
  });
  expect(letter?.payload.masked).toEqual([{ path: "session_token", bytes: token.length }]);
  expect(JSON.stringify(letter)).not.toContain(token);
});

test("whatever stands in the list has a page: it says what it is, and a digit too many is not rounded", async () => {
  const odd: [name: string, bytes: Buffer, problem: RegExp | null][] = [
    ["empty", Buffer.alloc(0), /^Empty/],
    ["not JSON", Buffer.from("cleanup of session 7"), /^Not JSON/],
    ["not UTF-8", Buffer.from([0xff, 0xfe, 0x00, 0x7b]), /^Not UTF-8/],
    ["NULs", Buffer.from("\0\0\0"), /^Not JSON/],
    ["JSON, and no object", Buffer.from("[1,2]"), null],
    ["without a dead_letter_id", Buffer.from('{"a":9007199254740993,"b":1e400}'), null],
    ["5 MB", Buffer.concat([Buffer.from("{"), randomBytes(5_000_000)]), /too large to show/],
  ];
  for (const [, bytes] of odd) await admin.lpush(JOURNAL_KEYS.deadLetter, bytes);
  const keys = (await queue().archive?.listAfter(null, { months: 13, limit: 100 }))?.keys ?? [];
  expect(keys).toHaveLength(odd.length);
  for (const [n, [name, bytes, problem]] of odd.entries()) {
    const letter = await find(keys[n]?.letterId ?? "");
    expect.soft(letter, name).toMatchObject({ kind: "unreadable", state: "active", jobId: null, subjectId: null });
    expect.soft(letter?.payload.bytes, name).toBe(bytes.length);
    if (problem) expect.soft(letter?.payload.problem, name).toMatch(problem);
    else expect.soft(letter?.payload.raw, name).toBe(bytes.toString());
  }
});

test("a letter of an entry that never parsed is a letter: its bytes are its item", async () => {
  const bytes = Buffer.from([0x7b, 0xff, 0x00]);
  const [id = ""] = await dieInJournal(admin, [{ entryId: "", item: bytes, error: "not UTF-8", attempts: 1 }]);
  expect(await find(id)).toMatchObject({ jobId: null, kind: "unreadable", error: "not UTF-8", payload: { bytes: 3 } });
});

test("an envelope of another writer is read in any order, with blanks, and by its own characters", async () => {
  const id = randomUUID();
  const item = cleanupItem({ amount: "X" }).replace('"X"', "9007199254740993");
  await admin.lpush(
    JOURNAL_KEYS.deadLetter,
    `{ "item" : ${item} ,\n "error":"a \\"quoted\\" error", "failed_attempts" : 8, "own": [1],
       "dead_lettered_at":"2026-11-14T03:02:00Z","entry_id":"e-1" , "dead_letter_id":"${id}" }`,
  );
  const letter = await find(id);
  expect(letter).toMatchObject({ jobId: "e-1", error: 'a "quoted" error', diedMs: Date.parse("2026-11-14T03:02:00Z") });
  expect(letter?.payload.raw).toContain('"amount":9007199254740993');
});

test("an id that no letter has is nobody's, however odd it is", async () => {
  await dieInJournal(admin, [{}, {}]);
  for (const id of [randomUUID(), "", "\0", "a".repeat(10_000), "requeued x", `sha1-${"0".repeat(40)}`, "%2e%2e/"]) {
    expect(await find(id)).toBeNull();
  }
});

test("a letter is found wherever it stands, also when others before and behind it were requeued since it was seen", async () => {
  const ids = await dieInJournal(
    admin,
    Array.from({ length: 60 }, () => ({})),
  );
  for (const id of ids) expect((await find(id))?.id).toBe(id);
  for (const n of [0, 1, 5, 30, 58]) await requeueInJournal(admin, ids[n] as string);
  await dieInJournal(admin, [{}, {}]);
  for (const [n, id] of ids.entries())
    expect((await find(id))?.id ?? null).toBe([0, 1, 5, 30, 58].includes(n) ? null : id);
});

test("twins of the same bytes are one letter's page, and both stay in the list", async () => {
  const bytes = letterBytes();
  await admin.lpush(JOURNAL_KEYS.deadLetter, bytes, letterBytes(), bytes);
  const keys = (await queue().archive?.listAfter(null, { months: 13, limit: 100 }))?.keys ?? [];
  expect(keys.map(({ letterId }) => letterId)).toEqual([keys[0]?.letterId, keys[1]?.letterId, keys[0]?.letterId]);
  expect(await find(keys[0]?.letterId ?? "")).toMatchObject({ state: "active" });
  expect(await admin.llen(JOURNAL_KEYS.deadLetter)).toBe(3);
});
