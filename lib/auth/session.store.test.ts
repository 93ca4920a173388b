import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { endSession, endSessionsOf, findSession, startSession } from "@/lib/auth/session";
import { hashToken, newToken } from "@/lib/auth/token";
import { insertUser } from "@/lib/auth/users";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let pool: pg.Pool;
let userId: string;
let token: string;

const USE = { use: true, readOnly: false };
const find = (text: string | undefined = token, options = USE) => findSession(pool, text, options);
/** As if this much time had gone by since. */
const age = (column: "last_seen_at" | "expires_at" | "created_at", interval: string) =>
  pool.query(`update backstop.sessions set ${column} = ${column} - $1::interval`, [interval]);

beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("backstop_own");
});
afterAll(() => stores.close());
beforeEach(async () => {
  await pool.query("delete from backstop.users");
  userId = await insertUser(pool, { username: "Maya", displayName: "Maya", role: "operator", passwordHash: "-" });
  token = await startSession(pool, userId);
});

test("a session says who it is, and is kept as a hash alone", async () => {
  const rights = { role: "operator", reveal: false, queues: null };
  expect(await find()).toEqual({ userId, username: "maya", displayName: "Maya", ...rights });
  const { rows } = await pool.query("select * from backstop.sessions");
  expect(rows[0].token_hash).toEqual(hashToken(token));
  expect(JSON.stringify(rows)).not.toContain(token);
});

test.each([undefined, "", "x", newToken(), `${newToken()}\0`, "'; --"])("%j is nobody", async (text) => {
  expect(await findSession(pool, text, USE)).toBeNull();
});

test("it ends 12 hours after sign-in, however much it is used", async () => {
  await age("expires_at", "11 hours 59 minutes");
  expect(await find()).not.toBeNull();
  await age("expires_at", "1 minute 1 second");
  expect(await find()).toBeNull();
});

test("it ends after 60 idle minutes; use prolongs it, polling does not", async () => {
  await age("last_seen_at", "59 minutes");
  expect(await find(token, { use: false, readOnly: false })).not.toBeNull();
  await age("last_seen_at", "59 seconds");
  expect(await find(token)).not.toBeNull();
  await age("last_seen_at", "59 minutes");
  expect(await find(token, { use: false, readOnly: false })).not.toBeNull();
  await age("last_seen_at", "2 minutes");
  expect(await find(token)).toBeNull();
});

test("its use is written once a minute at most", async () => {
  const seen = async () => (await pool.query("select last_seen_at::text as at from backstop.sessions")).rows[0].at;
  const first = await seen();
  await find();
  expect(await seen()).toBe(first);
  await age("last_seen_at", "61 seconds");
  await find();
  expect(await seen()).not.toBe(first);
});

test("a disabled user has no session, and a role counts from the next request on", async () => {
  await pool.query("update backstop.users set role = 'viewer'");
  expect((await find())?.role).toBe("viewer");
  await pool.query("update backstop.users set disabled_at = now()");
  expect(await find()).toBeNull();
});

test("it is revoked at once, alone or with all of its user's", async () => {
  const other = await startSession(pool, userId);
  await endSession(pool, token);
  expect([await find(), (await find(other))?.userId]).toEqual([null, userId]);
  expect(await endSessionsOf(pool, userId)).toBe(1);
  expect(await find(other)).toBeNull();
});

test("read-only makes an admin a viewer, who reveals nothing", async () => {
  await pool.query("update backstop.users set role = 'admin', reveal = true");
  expect(await find()).toMatchObject({ role: "admin", reveal: true });
  expect(await find(token, { use: true, readOnly: true })).toMatchObject({ role: "viewer", reveal: false });
});

test.each([
  ["admin", false, true],
  ["operator", true, true],
  ["operator", false, false],
  ["viewer", true, false],
])("of a %s who was given %s, reveal is %s", async (role, given, may) => {
  await pool.query("update backstop.users set role = $1, reveal = $2", [role, given]);
  expect((await find())?.reveal).toBe(may);
});

test("a limit to queues counts from the next request on, and an admin has none", async () => {
  await pool.query("update backstop.users set queues = '{persistence-retry}'");
  expect((await find())?.queues).toEqual(["persistence-retry"]);
  await expect(pool.query("update backstop.users set role = 'admin'")).rejects.toThrow("users_admins_unlimited");
  await expect(pool.query("update backstop.users set queues = '{}'")).rejects.toThrow("users_queues_some");
});

test("what is over goes with the user's next sign-in", async () => {
  await age("expires_at", "13 hours");
  await startSession(pool, userId);
  expect((await pool.query("select 1 from backstop.sessions")).rowCount).toBe(1);
});
