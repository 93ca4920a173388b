import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { By } from "@/lib/auth/by";
import { changeOwnPassword } from "@/lib/auth/change-password";
import { changeUser, LOCK_USERS, type UserChange } from "@/lib/auth/change-user";
import { hashPassword } from "@/lib/auth/password";
import { endSession, findSession, startSession } from "@/lib/auth/session";
import { insertUser } from "@/lib/auth/users";
import { overlapping, untilBlocked } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let pool: pg.Pool;
let maya: string;
let jonas: string;
/** The session from which jonas asks. */
let token: string;
let passwordHash: string;
const PASSWORD = "correct horse battery";

beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("backstop_own", 6);
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => stores.close());
beforeEach(async () => {
  await pool.query("delete from backstop.users; delete from backstop.sign_in_attempts");
  maya = await insertUser(pool, { username: "maya", displayName: "Maya", role: "admin", passwordHash: "-" });
  jonas = await insertUser(pool, { username: "jonas", displayName: "Jonas", role: "operator", passwordHash });
  token = await startSession(pool, jonas);
});

const by = (userId: string, role: "admin" | "operator"): By => ({
  actor: { id: userId, name: role, role },
  address: "192.0.2.1",
  requestId: "r",
});
const change = (current = PASSWORD) =>
  changeOwnPassword(
    pool,
    { userId: jonas, username: "jonas", current, next: "another long password", token },
    by(jonas, "operator"),
  );
const who = (session: string) => findSession(pool, session, { use: false, readOnly: false });
const kept = async () => {
  const user = await pool.query("select password_hash from backstop.users where user_id = $1", [jonas]);
  const audited = await pool.query("select from backstop.audit where action = 'change_password' and actor_id = $1", [
    jonas,
  ]);
  return { hash: user.rows[0].password_hash, audited: audited.rowCount };
};

test("whoever knows their password may change it: every other session ends, and a wrong one changes nothing", async () => {
  const other = await startSession(pool, jonas);
  expect(await change("wrong")).toEqual({ kind: "no_match", triesLeft: 4 });
  expect((await who(token))?.username).toBe("jonas");
  const changed = await change();
  if (changed.kind !== "changed") throw new Error(changed.kind);
  expect(await Promise.all([who(token), who(other)])).toEqual([null, null]);
  expect((await who(changed.token))?.username).toBe("jonas");
  expect((await kept()).audited).toBe(1);
  expect((await pool.query("select from backstop.sign_in_attempts")).rowCount).toBe(0);
});

const CHANGES: [UserChange, string][] = [
  [{ verb: "reset", passwordHash: "another" }, "another"],
  [{ verb: "revoke" }, ""],
  [{ verb: "disable" }, ""],
];

test.each(CHANGES)("what an admin does to the account meanwhile stands: %j", async (verb, hash) => {
  // It stands first in the line: a change of one's own compares and hashes before.
  const ended = await overlapping<{ kind: string }>(pool, { text: LOCK_USERS.text, values: [] }, [
    () => changeUser(pool, jonas, verb, by(maya, "admin")),
    () => change(),
  ]);
  expect(ended).toMatchObject([{ value: { kind: "done" } }, { value: { kind: "signed_out" } }]);
  expect(await kept()).toEqual({ hash: hash || passwordHash, audited: 0 });
  expect((await pool.query("select from backstop.sessions")).rowCount).toBe(0);
});

test("a session that was ended while the password was compared changes nothing, nor does another user's", async () => {
  await endSession(pool, token);
  expect((await change()).kind).toBe("signed_out");
  token = await startSession(pool, maya);
  expect((await change()).kind).toBe("signed_out");
  expect(await kept()).toEqual({ hash: passwordHash, audited: 0 });
});

test("another password than the one that was compared is not overwritten, though the session lives", async () => {
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query(LOCK_USERS.text);
  const changing = change();
  await untilBlocked(pool, 1);
  await pool.query("update backstop.users set password_hash = 'another' where user_id = $1", [jonas]);
  await holder.query("rollback");
  holder.release();
  expect((await changing).kind).toBe("no_match");
  expect(await kept()).toEqual({ hash: "another", audited: 0 });
  expect((await who(token))?.username).toBe("jonas");
});
