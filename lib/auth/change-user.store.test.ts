import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addUser } from "@/lib/auth/add-user";
import { createApiToken, findApiToken } from "@/lib/auth/api-tokens";
import type { By } from "@/lib/auth/by";
import { changeOwnPassword } from "@/lib/auth/change-password";
import { changeUser, LOCK_USERS, type UserChange } from "@/lib/auth/change-user";
import { listUsers } from "@/lib/auth/list-users";
import { hashPassword } from "@/lib/auth/password";
import { findSession, startSession } from "@/lib/auth/session";
import { signIn } from "@/lib/auth/sign-in";
import { insertUser, type Rights } from "@/lib/auth/users";
import { overlapping } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let pool: pg.Pool;
const BY: By = { actor: { id: "a", name: "An Admin", role: "admin" }, address: "192.0.2.1", requestId: "r" };
const OPERATOR: Required<Rights> = { role: "operator", reveal: false, queues: null };
const PASSWORD = "correct horse battery";

beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("backstop_own", 6);
});
afterAll(() => stores.close());
beforeEach(() => pool.query("delete from backstop.users; delete from backstop.sign_in_attempts"));

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
  expect(await changeUser(pool, last, change, BY)).toEqual({ kind: "last_admin" });
  expect([await admins(), (await who(token))?.role]).toEqual([1, "admin"]);
  expect(await audited(last)).toEqual([
    { phase: "refusal", action: `user_${change.verb}`, actor_name: "An Admin", outcome: "last_admin" },
  ]);
});

test("two admins who demote and disable each other at the same moment: one of them stays", async () => {
  const [maya, jonas] = [await make("maya"), await make("jonas")];
  const racers = [
    () => changeUser(pool, maya, { verb: "rights", rights: OPERATOR }, BY),
    () => changeUser(pool, jonas, { verb: "disable" }, BY),
  ];
  const ended = await overlapping(pool, { text: LOCK_USERS.text, values: [] }, racers);
  const kinds = ended.map((each) => (each.status === "fulfilled" ? each.value.kind : "threw"));
  expect(kinds.sort()).toEqual(["done", "last_admin"]);
  expect(await admins()).toBe(1);
});

const ENDING: [string, UserChange, boolean][] = [
  ["another role", { verb: "rights", rights: { ...OPERATOR, role: "viewer" } }, false],
  ["a limit to queues", { verb: "rights", rights: { ...OPERATOR, queues: ["persistence-retry"] } }, false],
  ["a reset", { verb: "reset", passwordHash: "-" }, true],
  ["an end of sessions", { verb: "revoke" }, true],
  ["disabling", { verb: "disable" }, true],
];

test.each(ENDING)("%s ends every session at once, and is audited", async (_what, change, endsTokens) => {
  await make("maya");
  const jonas = await make("jonas", "operator");
  const tokens = [await startSession(pool, jonas), await startSession(pool, jonas)];
  const other = await startSession(pool, await make("vera", "viewer"));
  const api = await createApiToken(pool, jonas, { name: "ci", scopes: ["read"], days: 1 }, BY);
  expect(await changeUser(pool, jonas, change, BY)).toEqual({ kind: "done", username: "jonas", sessions: 2 });
  expect(await Promise.all(tokens.map(who))).toEqual([null, null]);
  expect((await who(other))?.username).toBe("vera");
  expect((await findApiToken(pool, api.kind === "made" ? api.token : "")) === null).toBe(endsTokens);
  expect(await audited(jonas)).toContainEqual({
    phase: "outcome",
    action: `user_${change.verb}`,
    actor_name: "An Admin",
    outcome: "done",
  });
});

test("a role that was just given counts for the next session, and an unknown user is told as such", async () => {
  await make("maya");
  const jonas = await make("jonas", "viewer");
  await changeUser(pool, jonas, { verb: "rights", rights: { role: "operator", reveal: true, queues: null } }, BY);
  expect(await who(await startSession(pool, jonas))).toMatchObject({ role: "operator", reveal: true });
  expect(await changeUser(pool, crypto.randomUUID(), { verb: "revoke" }, BY)).toEqual({ kind: "not_found" });
});

test("a reset during a sign-in: the old password lets nobody in", async () => {
  const jonas = await make("jonas", "operator", await hashPassword(PASSWORD));
  const attempt = { username: "jonas", password: PASSWORD, address: "192.0.2.1", requestId: "r" };
  // Held until the password was compared; the reset stands in the same line, before the sign-in's own look.
  const ended = await overlapping<{ kind: string }>(
    pool,
    { text: "select from backstop.users where user_id = $1 for update", values: [jonas] },
    [() => changeUser(pool, jonas, { verb: "reset", passwordHash: "another" }, BY), () => signIn(pool, attempt)],
  );
  const kinds = ended.map((each) => (each.status === "fulfilled" ? each.value.kind : "threw"));
  // Whichever came first in the line, no session of the old password is left.
  expect(["no_match", "signed_in"]).toContain(kinds[1]);
  expect(kinds[0]).toBe("done");
  expect((await pool.query("select 1 from backstop.sessions")).rowCount).toBe(0);
});

test("whoever knows their password may change it: every other session ends, and a wrong one changes nothing", async () => {
  const jonas = await make("jonas", "operator", await hashPassword(PASSWORD));
  const old = await startSession(pool, jonas);
  const own = { userId: jonas, username: "jonas", next: "another long password" };
  expect(await changeOwnPassword(pool, { ...own, current: "wrong" }, BY)).toEqual({ kind: "no_match", triesLeft: 4 });
  expect((await who(old))?.username).toBe("jonas");
  const changed = await changeOwnPassword(pool, { ...own, current: PASSWORD }, BY);
  if (changed.kind !== "changed") throw new Error(changed.kind);
  expect([await who(old), (await who(changed.token))?.username]).toEqual([null, "jonas"]);
});

test("an account is added once, with a password that opens it, and shows in the list", async () => {
  const account = { username: "Vera", displayName: "Vera Holm", role: "viewer" as const };
  const added = await addUser(pool, account, BY);
  if (added.kind !== "added") throw new Error(added.kind);
  expect(await addUser(pool, { ...account, username: "vera" }, BY)).toEqual({ kind: "taken" });
  const { password } = added;
  const signed = await signIn(pool, { username: "vera", password, address: "192.0.2.1", requestId: "r" });
  expect(signed.kind).toBe("signed_in");
  expect(await listUsers(pool)).toEqual([
    expect.objectContaining({
      username: "vera",
      role: "viewer",
      queues: null,
      sessions: 1,
      tokens: 0,
      disabledMs: null,
    }),
  ]);
  expect(JSON.stringify((await pool.query("select * from backstop.audit")).rows)).not.toContain(password);
});
