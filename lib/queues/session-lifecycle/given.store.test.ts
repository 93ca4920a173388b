import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createReadRedis } from "@/lib/db/redis";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { sessionLifecycle } from ".";
import { JOURNAL_KEYS } from "./keys";

// Somebody's Redis: empty, without the rights, with another password, with keys of other types.

let stores: TestStores;
let admin: Redis;
beforeAll(async () => {
  stores = await openStores("bare");
  admin = new Redis(stores.redisUrl("admin"));
  await admin.flushdb();
});
afterAll(async () => {
  await admin.flushdb();
  await admin.acl("DELUSER", "blind");
  admin.disconnect();
  await stores.close();
});

async function depths(change: (url: URL) => void = () => {}) {
  const url = new URL(stores.redisUrl("console"));
  change(url);
  const redis = createReadRedis(url.href, "given");
  try {
    return await sessionLifecycle({ game: null, redis, rpc: null }).readDepths();
  } finally {
    redis.disconnect();
  }
}

test("an empty Redis: every depth is 0", async () => {
  expect(await depths()).toMatchObject({ kind: "read", value: { due: 0, processing: 0, dead: 0 } });
});

test("a user without the right to the keys, a wrong password: each in its own words", async () => {
  await admin.acl("SETUSER", "blind", "on", ">blind-password", "+@all", "~elsewhere:*");
  expect(
    await depths((url) => {
      url.username = "blind";
      url.password = "blind-password";
    }),
  ).toEqual({ kind: "failed", code: "NOPERM", sentence: "The reading user may not read this." });
  expect(
    await depths((url) => {
      url.password = "wrong";
    }),
  ).toEqual({ kind: "failed", code: "WRONGPASS", sentence: "The server refuses this user's password." });
});

test("a key of another type takes no other count with it", async () => {
  await admin.set(JOURNAL_KEYS.deadLetter, "not a list");
  await admin.lpush(JOURNAL_KEYS.pending, "a", "b");
  await admin.set(JOURNAL_KEYS.runtimes, "not a hash");
  expect(await depths()).toMatchObject({ kind: "read", value: { due: 2, processing: 0, dead: null } });
});
