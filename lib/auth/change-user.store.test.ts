import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addUser } from "@/lib/auth/add-user";
import { createApiToken, findApiToken } from "@/lib/auth/api-tokens";
import type { By } from "@/lib/auth/by";
import { changeUser, LOCK_USERS, type UserChange } from "@/lib/auth/change-user";
import { listUsers } from "@/lib/auth/list-users";
import { hashPassword } from "@/lib/auth/password";
import { findSession, startSession } from "@/lib/auth/session";
import { signIn } from "@/lib/auth/sign-in";
import { insertUser, type Rights } from "@/lib/auth/users";
import { overlapping, untilBlocked } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let pool: pg.Pool;
/** What one of the accounts of the test asks for. */
const by = (userId: string): By => ({
  actor: { id: userId, name: "An Admin", role: "admin" },
  address: "192.0.2.1",
  requestId: "r",
});
const OPERATOR: Required<Rights> = { role: "operator", reveal: false, queues: null };
const PASSWORD = "correct horse battery";

beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("backstop_own", 6);
});
afterAll(() => stores.close());
beforeEach(() => pool.query("delete from backstop.users; delete from backstop.sign_in_attempts"));

const SYSTEM: By = { actor: { id: "system", name: "command line", role: "system" }, address: null, requestId: null };
const make = (username: string, role: Rights["role"] = "admin", passwordHash = "-") =>
  insertUser(pool, { username, displayName: username, role, passwordHash });
const who = (token: string) => findSession(pool, token, { use: false, readOnly: false });
const audited = async (userId: string) => {
  const sql =
    "select phase, action, actor_name, outcome from backstop.audit where target ->> 'userId' = $1 order by at";
  return (await pool.query(sql, [userId])).rows;
};
const admins = async () =>
  (await pool.query("select username from backstop.users where role = 'admin' and disabled_at is null")).rowCount;

const LOSING: UserChange[] = [{ verb: "rights", rights: OPERATOR }, { verb: "disable" }];

test.each(LOSING)("the last admin who can sign in cannot go: $verb", async (change) => {
  const last = await make("maya");
  await pool.query("update backstop.users set disabled_at = now() where user_id = $1", [await make("gone")]);
  const token = await startSession(pool, last);
  expect(await changeUser(pool, last, change, by(last))).toEqual({ kind: "last_admin" });
  expect([await admins(), (await who(token))?.role]).toEqual([1, "admin"]);
  expect(await audited(last)).toEqual([
    { phase: "refusal", action: `user_${change.verb}`, actor_name: "An Admin", outcome: "last_admin" },
  ]);
});

const HELD = { text: LOCK_USERS.text, values: [] };
const kindsOf = (ended: PromiseSettledResult<{ kind: string }>[]) =>
  ended.map((each) => (each.status === "fulfilled" ? each.value.kind : String(each.reason)));

test("two admins who demote and disable each other at the same moment: one of them stays", async () => {
  const [maya, jonas] = [await make("maya"), await make("jonas")];
  const racers = [
    () => changeUser(pool, maya, { verb: "rights", rights: OPERATOR }, by(jonas)),
    () => changeUser(pool, jonas, { verb: "disable" }, by(maya)),
  ];
  const ended = await overlapping(pool, HELD, racers);
  expect(kindsOf(ended).sort()).toEqual(["done", "not_admin"]);
  expect(await admins()).toBe(1);
});

test("of two who take the last two admins away at the same moment from outside, one is told so", async () => {
  const [maya, jonas] = [await make("maya"), await make("jonas")];
  const racers = [
    () => changeUser(pool, maya, { verb: "rights", rights: OPERATOR }, SYSTEM),
    () => changeUser(pool, jonas, { verb: "disable" }, SYSTEM),
  ];
  expect(kindsOf(await overlapping(pool, HELD, racers)).sort()).toEqual(["done", "last_admin"]);
  expect(await admins()).toBe(1);
});

test.each(LOSING)("an admin who has gone while their action waited changes and adds nobody: $verb", async (change) => {
  const [maya, jonas] = [await make("maya"), await make("jonas")];
  const vera = await make("vera", "viewer");
  const token = await startSession(pool, vera);
  const added = { username: "mole", displayName: "Mole", role: "admin" as const };
  const ended = await overlapping<{ kind: string }>(pool, HELD, [
    () => changeUser(pool, jonas, change, by(maya)),
    // Each hashes before it stands in the line, as the actions do: the change of jonas comes first.
    async () => changeUser(pool, vera, { verb: "reset", passwordHash: await hashPassword(PASSWORD) }, by(jonas)),
    () => addUser(pool, added, by(jonas)),
  ]);
  expect(kindsOf(ended)).toEqual(["done", "not_admin", "not_admin"]);
  const hash = await pool.query("select password_hash from backstop.users where user_id = $1", [vera]);
  expect([hash.rows, (await who(token))?.username]).toEqual([[{ password_hash: "-" }], "vera"]);
  expect((await listUsers(pool)).map(({ username }) => username).sort()).toEqual(["jonas", "maya", "vera"]);
  const refused = await pool.query(
    "select action, outcome, target ->> 'username' as username from backstop.audit where phase = 'refusal' and actor_id = $1",
    [jonas],
  );
  expect(refused.rows).toHaveLength(2);
  expect(refused.rows).toContainEqual({ action: "user_reset", outcome: "needs_admin", username: "vera" });
  expect(refused.rows).toContainEqual({ action: "user_create", outcome: "needs_admin", username: "mole" });
});

test("the command line needs no account to add and to change some", async () => {
  const vera = await make("vera", "viewer");
  expect((await changeUser(pool, vera, { verb: "revoke" }, SYSTEM)).kind).toBe("done");
  expect((await addUser(pool, { username: "maya", displayName: "Maya", role: "admin" }, SYSTEM)).kind).toBe("added");
});

const ENDING: [string, UserChange, boolean][] = [
  ["another role", { verb: "rights", rights: { ...OPERATOR, role: "viewer" } }, false],
  ["a limit to queues", { verb: "rights", rights: { ...OPERATOR, queues: ["persistence-retry"] } }, false],
  ["a reset", { verb: "reset", passwordHash: "-" }, true],
  ["an end of sessions", { verb: "revoke" }, true],
  ["disabling", { verb: "disable" }, true],
];

test.each(ENDING)("%s ends every session at once, and is audited", async (_what, change, endsTokens) => {
  const maya = await make("maya");
  const jonas = await make("jonas", "operator");
  const tokens = [await startSession(pool, jonas), await startSession(pool, jonas)];
  const other = await startSession(pool, await make("vera", "viewer"));
  const api = await createApiToken(pool, jonas, { name: "ci", scopes: ["read"], days: 1 }, by(jonas));
  expect(await changeUser(pool, jonas, change, by(maya))).toEqual({ kind: "done", username: "jonas", sessions: 2 });
  expect(await Promise.all(tokens.map(who))).toEqual([null, null]);
  expect((await who(other))?.username).toBe("vera");
  // Disabled and enabled again: what was let in before is not let in anew.
  await changeUser(pool, jonas, { verb: "enable" }, by(maya));
  expect((await findApiToken(pool, api.kind === "made" ? api.token : "")) === null).toBe(endsTokens);
  expect(await audited(jonas)).toContainEqual({
    phase: "outcome",
    action: `user_${change.verb}`,
    actor_name: "An Admin",
    outcome: "done",
  });
});

test("a role that was just given counts for the next session, and an unknown user is told as such", async () => {
  const maya = await make("maya");
  const jonas = await make("jonas", "viewer");
  const rights = { role: "operator", reveal: true, queues: null } as const;
  await changeUser(pool, jonas, { verb: "rights", rights }, by(maya));
  expect(await who(await startSession(pool, jonas))).toMatchObject({ role: "operator", reveal: true });
  expect(await changeUser(pool, crypto.randomUUID(), { verb: "revoke" }, by(maya))).toEqual({ kind: "not_found" });
});

test("a reset during a sign-in: the old password lets nobody in", async () => {
  const maya = await make("maya");
  const jonas = await make("jonas", "operator", await hashPassword(PASSWORD));
  const attempt = { username: "jonas", password: PASSWORD, address: "192.0.2.1", requestId: "r" };
  // Held until the password was compared; the reset stands in the same line, before the sign-in's own look.
  const ended = await overlapping<{ kind: string }>(
    pool,
    { text: "select from backstop.users where user_id = $1 for update", values: [jonas] },
    [() => changeUser(pool, jonas, { verb: "reset", passwordHash: "another" }, by(maya)), () => signIn(pool, attempt)],
  );
  const kinds = ended.map((each) => (each.status === "fulfilled" ? each.value.kind : "threw"));
  // Whichever came first in the line, no session of the old password is left.
  expect(["no_match", "signed_in"]).toContain(kinds[1]);
  expect(kinds[0]).toBe("done");
  expect((await pool.query("select 1 from backstop.sessions")).rowCount).toBe(0);
});

test("an account is added once, with a password that opens it, and shows in the list", async () => {
  const account = { username: "Vera", displayName: "Vera Holm", role: "viewer" as const };
  const maya = by(await make("maya"));
  const added = await addUser(pool, account, maya);
  if (added.kind !== "added") throw new Error(added.kind);
  expect(await addUser(pool, { ...account, username: "vera" }, maya)).toEqual({ kind: "taken" });
  const { password } = added;
  const signed = await signIn(pool, { username: "vera", password, address: "192.0.2.1", requestId: "r" });
  expect(signed.kind).toBe("signed_in");
  const listed = { username: "vera", role: "viewer", queues: null, sessions: 1, tokens: 0, disabledMs: null };
  expect(await listUsers(pool)).toContainEqual(expect.objectContaining(listed));
  expect(JSON.stringify((await pool.query("select * from backstop.audit")).rows)).not.toContain(password);
});

test("a queue that a limit names twice is kept once", async () => {
  const maya = by(await make("maya"));
  const queues = ["persistence-retry", "session-lifecycle", "persistence-retry"];
  await addUser(pool, { username: "vera", displayName: "Vera", role: "viewer", queues }, maya);
  const vera = async () => (await listUsers(pool)).find(({ username }) => username === "vera");
  expect((await vera())?.queues).toEqual(["persistence-retry", "session-lifecycle"]);
  const rights = { ...OPERATOR, queues: ["session-lifecycle", "session-lifecycle"] };
  await changeUser(pool, (await vera())?.userId ?? "", { verb: "rights", rights }, maya);
  expect((await vera())?.queues).toEqual(["session-lifecycle"]);
});

test("whoever changes themselves goes on in a new session, unless theirs was ended meanwhile", async () => {
  const [maya, jonas] = [await make("maya"), await make("jonas")];
  const change: UserChange = { verb: "rights", rights: { ...OPERATOR, role: "admin" } };
  const old = await startSession(pool, maya);
  const ended = await changeUser(pool, maya, change, by(maya), old);
  if (ended.kind !== "done") throw new Error(ended.kind);
  expect([await who(old), (await who(ended.token ?? ""))?.username]).toEqual([null, "maya"]);
  const raced = await overlapping(pool, HELD, [
    () => changeUser(pool, maya, { verb: "revoke" }, by(jonas)),
    async () => {
      await hashPassword(PASSWORD);
      return changeUser(pool, maya, change, by(maya), ended.token ?? undefined);
    },
  ]);
  expect(kindsOf(raced)).toEqual(["done", "done"]);
  expect((await pool.query("select from backstop.sessions")).rowCount).toBe(0);
});

test("a token that is made while its user is being disabled does not outlive that", async () => {
  const maya = by(await make("maya"));
  const jonas = await make("jonas", "operator");
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("update backstop.users set disabled_at = now() where user_id = $1", [jonas]);
  await holder.query("update backstop.api_tokens set revoked_at = now() where user_id = $1", [jonas]);
  const making = createApiToken(pool, jonas, { name: "ci", scopes: ["read"], days: 1 }, by(jonas));
  await Promise.race([untilBlocked(pool, 1), making]);
  await holder.query("commit");
  holder.release();
  await making;
  await changeUser(pool, jonas, { verb: "enable" }, maya);
  expect((await pool.query("select from backstop.api_tokens where revoked_at is null")).rowCount).toBe(0);
});
