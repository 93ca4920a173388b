import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  createApiToken,
  findApiToken,
  listApiTokens,
  revokeApiToken,
  type Scope,
  TOKENS_MAX,
} from "@/lib/auth/api-tokens";
import type { By } from "@/lib/auth/by";
import { newToken } from "@/lib/auth/token";
import { insertUser } from "@/lib/auth/users";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let pool: pg.Pool;
let userId: string;
const BY: By = { actor: { id: "a", name: "An Admin", role: "admin" }, address: "192.0.2.1", requestId: "r" };

beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("backstop_own");
});
afterAll(() => stores.close());
beforeEach(async () => {
  await pool.query("delete from backstop.users");
  userId = await insertUser(pool, { username: "maya", displayName: "Maya", role: "admin", passwordHash: "-" });
});

async function made(scopes: Scope[] = ["read"], days = 90): Promise<string> {
  const ended = await createApiToken(pool, userId, { name: "ci", scopes, days }, BY);
  if (ended.kind !== "made") throw new Error(ended.kind);
  return ended.token;
}
const later = (interval: string) =>
  pool.query("update backstop.api_tokens set expires_at = expires_at - $1::interval", [interval]);

test("a token is its user's, reveals nothing whoever that is, and is kept as a hash alone", async () => {
  const token = await made(["read", "mark"]);
  expect(token).toMatch(/^backstop_[\w-]{43}$/);
  const who = { userId, username: "maya", displayName: "Maya", role: "admin", reveal: false, queues: null };
  expect(await findApiToken(pool, token)).toEqual({ who, scopes: ["read", "mark"] });
  const kept = await pool.query("select row_to_json(t)::text as row from backstop.api_tokens t");
  const audit = await pool.query("select row_to_json(a)::text as row from backstop.audit a");
  expect(JSON.stringify([kept.rows, audit.rows])).not.toContain(token.slice(9));
});

test("what is no token, or without its prefix, is nobody's", async () => {
  const token = await made();
  for (const text of ["", "backstop_", token.slice(9), `${token}x`, `backstop_${newToken()}`, `x${token}`])
    expect(await findApiToken(pool, text)).toBeNull();
});

test("it ends when it said, when it is revoked, and with its user; and follows its user's role and limit", async () => {
  const token = await made(["read"], 1);
  await pool.query("update backstop.users set role = 'viewer', queues = '{persistence-retry}'");
  expect((await findApiToken(pool, token))?.who).toMatchObject({ role: "viewer", queues: ["persistence-retry"] });
  await pool.query("update backstop.users set disabled_at = now()");
  expect(await findApiToken(pool, token)).toBeNull();
  await pool.query("update backstop.users set disabled_at = null");
  await later("23 hours 59 minutes");
  expect(await findApiToken(pool, token)).not.toBeNull();
  await later("1 minute 1 second");
  expect(await findApiToken(pool, token)).toBeNull();
});

test("it is revoked at once, by its user alone", async () => {
  const token = await made();
  const [listed] = await listApiTokens(pool, userId);
  const tokenId = listed?.tokenId ?? "";
  const other = await insertUser(pool, { username: "jonas", displayName: "J", role: "admin", passwordHash: "-" });
  expect(await revokeApiToken(pool, other, tokenId, BY)).toEqual({ kind: "not_found" });
  expect(await findApiToken(pool, token)).not.toBeNull();
  expect(await revokeApiToken(pool, userId, tokenId, BY)).toEqual({ kind: "revoked" });
  expect(await findApiToken(pool, token)).toBeNull();
  expect(await listApiTokens(pool, userId)).toEqual([]);
});

test("nobody has more than so many, and the scopes are those that exist", async () => {
  for (let n = 0; n < TOKENS_MAX; n += 1) await made();
  expect(await createApiToken(pool, userId, { name: "one more", scopes: ["read"], days: 1 }, BY)).toEqual({
    kind: "too_many",
  });
  await later("91 days");
  await expect(made(["requeue" as "read"])).rejects.toThrow("api_tokens_scopes_check");
});

test("its use is written once a minute at most", async () => {
  const token = await made();
  const used = async () => (await listApiTokens(pool, userId))[0]?.usedMs;
  expect(await used()).toBeNull();
  await findApiToken(pool, token);
  const first = await used();
  expect(first).toBeGreaterThan(0);
  await findApiToken(pool, token);
  expect(await used()).toBe(first);
});
