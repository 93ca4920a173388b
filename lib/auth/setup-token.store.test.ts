import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { issueSetupToken, redeemSetupToken } from "@/lib/auth/setup-token";
import { newToken } from "@/lib/auth/token";
import { insertUser } from "@/lib/auth/users";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let pool: pg.Pool;

const admin = (name: string) => ({ username: name, displayName: name, password: "correct horse battery" });
const issue = async () => (await issueSetupToken(stores.postgresUrl("backstop_own"))) ?? "none";
const users = async () => (await pool.query("select username, role from backstop.users")).rows;

beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("backstop_own", 6);
});
afterAll(() => stores.close());
beforeEach(() => pool.query("delete from backstop.users; delete from backstop.setup_tokens"));

test("the token of the last start makes one admin, is kept as a hash, and is spent", async () => {
  const [first, last] = [await issue(), await issue()];
  const kept = await pool.query("select encode(token_hash, 'escape') as hash from backstop.setup_tokens");
  expect(kept.rows).toHaveLength(1);
  expect(JSON.stringify(kept.rows)).not.toContain(last);
  for (const wrong of [first, newToken(), "", "x"])
    expect(await redeemSetupToken(pool, wrong, admin("mallory"))).toEqual({ kind: "wrong_token" });
  expect(await redeemSetupToken(pool, last, admin("Maya"))).toEqual({ kind: "made", userId: expect.any(String) });
  expect(await users()).toEqual([{ username: "maya", role: "admin" }]);
  expect((await pool.query("select 1 from backstop.setup_tokens")).rowCount).toBe(0);
  const audit = await pool.query("select phase, action, actor_name, actor_role, outcome from backstop.audit");
  expect(audit.rows).toEqual([
    { phase: "outcome", action: "set_up", actor_name: "Maya", actor_role: "admin", outcome: "made" },
  ]);
});

test("of two racers with one token, one is the admin and the other is told", async () => {
  const token = await issue();
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select from backstop.setup_tokens for update");
  const racers = ["maya", "mallory"].map((name) => redeemSetupToken(pool, token, admin(name)));
  await untilBlocked(2);
  await holder.query("rollback");
  holder.release();
  const kinds = (await Promise.all(racers)).map((result) => result.kind);
  expect(kinds.sort()).toEqual(["already_set_up", "made"]);
  expect(await users()).toHaveLength(1);
});

test("after the first user there is no set-up: no token is made, and an old one is refused", async () => {
  const token = await issue();
  await insertUser(pool, { username: "first", displayName: "First", role: "admin", passwordHash: "-" });
  expect(await redeemSetupToken(pool, token, admin("mallory"))).toEqual({ kind: "already_set_up" });
  expect(await issueSetupToken(stores.postgresUrl("backstop_own"))).toBeNull();
  expect(await users()).toHaveLength(1);
});

test("a token is worth nothing after an hour", async () => {
  const token = await issue();
  await pool.query("update backstop.setup_tokens set expires_at = expires_at - interval '59 minutes 50 seconds'");
  await pool.query("update backstop.setup_tokens set expires_at = expires_at - interval '11 seconds'");
  expect(await redeemSetupToken(pool, token, admin("late"))).toEqual({ kind: "expired" });
  expect(await users()).toEqual([]);
});

/** Until that many sessions of this database wait for a lock. */
async function untilBlocked(count: number): Promise<void> {
  const sql = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await pool.query(sql)).rowCount !== count) await new Promise((resolve) => setTimeout(resolve, 20));
}
