import { execFile } from "node:child_process";
import { userInfo } from "node:os";
import { promisify } from "node:util";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findSession, startSession } from "@/lib/auth/session";
import { signIn } from "@/lib/auth/sign-in";
import { insertUser } from "@/lib/auth/users";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { readUsersCommand } from "./read-command";

let stores: TestStores;
let pool: pg.Pool;
const run = promisify(execFile);

beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("backstop_own");
});
afterAll(() => stores.close());
beforeEach(() => pool.query("delete from backstop.users; delete from backstop.sign_in_attempts"));

/** As it is typed; gives the exit code and both outputs. */
async function users(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH, BACKSTOP_DATABASE_URL: stores.postgresUrl("backstop_own") };
  const done = run(process.execPath, ["--import", "tsx", "scripts/users.ts", ...args], {
    env: env as unknown as NodeJS.ProcessEnv,
    timeout: 20_000,
  });
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    (error) => ({ code: error.code, out: error.stdout, err: error.stderr }),
  );
}
const passwordIn = (out: string) => out.match(/^Password: (\S{20})$/m)?.[1] ?? "none";
const try1 = (username: string, password: string) =>
  signIn(pool, { username, password, address: "192.0.2.1", requestId: "r" });

test("who is locked out is let in again: another password, no old session, enabled, and a line of the audit", async () => {
  const userId = await insertUser(pool, { username: "maya", displayName: "Maya", role: "admin", passwordHash: "-" });
  const old = await startSession(pool, userId);
  await pool.query("update backstop.users set disabled_at = now()");
  const { code, out } = await users("reset", "Maya");
  expect(code).toBe(0);
  expect((await try1("maya", passwordIn(out))).kind).toBe("signed_in");
  expect(await findSession(pool, old, { use: false, readOnly: false })).toBeNull();
  const audit = await pool.query("select action, actor_id, actor_role from backstop.audit where phase = 'outcome'");
  const actor = { actor_id: `command_line:${userInfo().username}`, actor_role: "system" };
  expect(audit.rows).toContainEqual({ action: "user_reset", ...actor });
  expect(audit.rows).toContainEqual({ action: "user_enable", ...actor });
  expect(out).toMatch(/^The password of maya is reset\. The account was disabled, and may sign in again\.$/m);
  expect((await users("reset", "maya")).out).toMatch(/^The password of maya is reset\.$/m);
  expect(JSON.stringify(audit.rows)).not.toContain(passwordIn(out));
});

test("an admin is made where none can sign in any more, listed, and signed out", async () => {
  const { out } = await users("create", "root2", "--role", "admin", "--name", "Root Two");
  const signed = await try1("root2", passwordIn(out));
  if (signed.kind !== "signed_in") throw new Error(signed.kind);
  expect((await users("list")).out).toBe("root2\tRoot Two\tadmin\tmay sign in\tsessions: 1\n");
  expect((await users("revoke", "root2")).out).toContain("sessions ended: 1");
  expect(await findSession(pool, signed.token, { use: false, readOnly: false })).toBeNull();
  const again = await users("create", "root2", "--role", "admin");
  expect([again.code, again.err]).toEqual([1, "There is a user root2 already.\n"]);
});

test("standard output is the answer alone, in which everything is seen; the heads of the audit go past it", async () => {
  await insertUser(pool, { username: "eve", displayName: "Eve \u202e\u001b[2J", role: "viewer", passwordHash: "-" });
  expect((await users("list")).out).toBe("eve\tEve ‹RLO›‹ESC›[2J\tviewer\tmay sign in\tsessions: 0\n");
  const { out, err } = await users("create", "maya", "--role=viewer", "--name=Maya O");
  expect(out).toMatch(/^maya is added as viewer\.\nPassword: \S{20}\n$/);
  expect(JSON.parse(err)).toMatchObject({ event: "audit_head", head: expect.stringMatching(/^[\da-f]{64}$/) });
});

test("help is an answer", async () => {
  for (const args of [["--help"], ["reset", "-h"]]) {
    const { code, out, err } = await users(...args);
    expect([code, out, err]).toEqual([0, expect.stringContaining("create USERNAME --role"), ""]);
  }
});

test("it is bounded: whoever holds the accounts for long makes it give up, and nothing is changed", async () => {
  const userId = await insertUser(pool, { username: "maya", displayName: "Maya", role: "admin", passwordHash: "-" });
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select from backstop.users for update");
  const begun = performance.now();
  const { code, err } = await users("revoke", "maya");
  await holder.query("rollback");
  holder.release();
  expect([code, err]).toEqual([1, expect.stringMatching(/^Nothing was changed: /)]);
  expect(performance.now() - begun).toBeLessThan(15_000);
  expect((await pool.query("select 1 from backstop.audit where target ->> 'userId' = $1", [userId])).rowCount).toBe(0);
});

describe("what is typed", () => {
  test.each([
    [[], /What is to be done/],
    [["drop"], /not understood/],
    [["reset"], /^The username is missing: reset USERNAME/],
    [["create", "--role", "admin"], /^The username is missing/],
    [["reset", "maya", "--force"], /^reset takes no options/],
    [["reset", "maya", "jonas"], /^jonas was not understood/],
    [["create", "maya", "--role", "viewer", "--role", "admin"], /^--role was given twice/],
    [["create", "maya", "--role", "admin", "--name", " "], /^--name: /],
    [["create", "maya", "--role", "--name", "x"], /each with a value/],
    [["create", "maya", "--role="], /each with a value/],
    [["list", "all"], /not understood/],
    [["create", "maya"], /role/],
    [["create", "maya", "--role", "owner"], /^--role: One of viewer, operator, admin/],
    [["create", "maya", "--role"], /each with a value/],
    [["create", "a b", "--role", "admin"], /username/],
    [["create", "maya", "--role", "admin", "--password", "x"], /--role and --name/],
  ])("%j is not done", (args, why) => {
    const read = readUsersCommand(args);
    expect(read.kind === "wrong" && read.why).toMatch(why);
  });

  test("a value may stand after its option or be joined to it", () => {
    const maya = { kind: "create", username: "maya", displayName: "Maya = O", role: "viewer" };
    expect(readUsersCommand(["create", "maya", "--role=viewer", "--name=Maya = O"])).toEqual(maya);
    expect(readUsersCommand(["create", "--role", "viewer", "--name", "Maya = O", "Maya"])).toEqual(maya);
  });
});
