import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findSession } from "@/lib/auth/session";
import { type SignedIn, signIn } from "@/lib/auth/sign-in";
import { countTry, FAILURES_MAX, FAILURES_MAX_WIDE, TRY } from "@/lib/auth/throttle";
import { createUser } from "@/lib/auth/users";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let pool: pg.Pool;
const PASSWORD = "correct horse battery";

const attempt = (password: string, username = "maya", address = "192.0.2.1", oldToken?: string): Promise<SignedIn> =>
  signIn(pool, { username, password, address, requestId: "r", oldToken });
const later = (interval: string) =>
  pool.query("update backstop.sign_in_attempts set at = at - $1::interval", [interval]);

beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("backstop_own", 6);
  await createUser(pool, { username: "Maya", displayName: "Maya Okafor", role: "operator", password: PASSWORD });
});
afterAll(() => stores.close());
beforeEach(() =>
  pool.query(
    "update backstop.users set disabled_at = null; delete from backstop.sign_in_attempts; delete from backstop.sessions",
  ),
);

test("the right password starts a session, is audited, and ends the one that the browser had", async () => {
  const first = await attempt(PASSWORD, " MAYA ");
  if (first.kind !== "signed_in") throw new Error(first.kind);
  const second = await attempt(PASSWORD, "maya", "192.0.2.1", first.token);
  if (second.kind !== "signed_in") throw new Error(second.kind);
  expect(second.token).not.toBe(first.token);
  const who = (token: string) => findSession(pool, token, { use: true, readOnly: false });
  expect([await who(first.token), (await who(second.token))?.username]).toEqual([null, "maya"]);
  const audit = await pool.query("select action, actor_name, actor_role, address from backstop.audit");
  expect(audit.rows).toHaveLength(2);
  expect(audit.rows[0]).toEqual({
    action: "sign_in",
    actor_name: "Maya Okafor",
    actor_role: "operator",
    address: "192.0.2.1",
  });
});

test("a wrong password, an unknown user and a disabled one are answered alike", async () => {
  expect(await attempt("wrong")).toEqual({ kind: "no_match", triesLeft: 4 });
  expect(await attempt(PASSWORD, "nobody")).toEqual({ kind: "no_match", triesLeft: 4 });
  await pool.query("update backstop.users set disabled_at = now()");
  expect(await attempt(PASSWORD)).toEqual({ kind: "no_match", triesLeft: 3 });
});

test("5 failures make the right password wait, for 5 minutes and no longer", async () => {
  for (const triesLeft of [4, 3, 2, 1])
    expect(await countTry(pool, "maya", "192.0.2.1")).toEqual({ kind: "go", triesLeft });
  expect(await attempt("wrong")).toEqual({ kind: "no_match", triesLeft: 0 });
  expect(await attempt(PASSWORD)).toEqual({ kind: "wait", waitMs: expect.closeTo(300_000, -5) });
  // Waiting tries do not lengthen the wait.
  await later("4 minutes 50 seconds");
  const waiting = await attempt(PASSWORD);
  expect(waiting.kind === "wait" && waiting.waitMs <= 10_000).toBe(true);
  await later("11 seconds");
  expect((await attempt(PASSWORD)).kind).toBe("signed_in");
  expect(await countTry(pool, "maya", "192.0.2.1")).toEqual({ kind: "go", triesLeft: 4 });
});

test("somebody else's failures do not lock a user out of their own address", async () => {
  for (let n = 0; n < FAILURES_MAX; n++) await countTry(pool, "maya", "198.51.100.7");
  expect((await countTry(pool, "maya", "198.51.100.7")).kind).toBe("wait");
  expect((await attempt(PASSWORD)).kind).toBe("signed_in");
});

test("many addresses against one account, and one address against many accounts, wait as well", async () => {
  for (let n = 0; n < FAILURES_MAX_WIDE; n++) expect((await countTry(pool, "maya", `a${n}`)).kind).toBe("go");
  expect((await countTry(pool, "maya", "another")).kind).toBe("wait");
  for (let n = 0; n < FAILURES_MAX_WIDE; n++) expect((await countTry(pool, `u${n}`, "203.0.113.1")).kind).toBe("go");
  expect((await countTry(pool, "another", "203.0.113.1")).kind).toBe("wait");
});

test("a stranger's failures from many addresses do not keep a user from where they have signed in before", async () => {
  const home = "198.51.100.20";
  const flood = async () => {
    await pool.query("delete from backstop.sign_in_attempts");
    for (let n = 0; n < FAILURES_MAX_WIDE; n++) await countTry(pool, "maya", `b${n}`);
  };
  await flood();
  expect((await attempt(PASSWORD, "maya", home)).kind).toBe("wait");
  await pool.query("delete from backstop.sign_in_attempts");
  expect((await attempt(PASSWORD, "maya", home)).kind).toBe("signed_in");
  await createUser(pool, { username: "vera", displayName: "Vera", role: "viewer", password: PASSWORD });
  expect((await attempt(PASSWORD, "vera", "198.51.100.21")).kind).toBe("signed_in");
  await flood();
  // Known to somebody else is not known to her.
  expect((await attempt(PASSWORD, "maya", "198.51.100.21")).kind).toBe("wait");
  expect((await attempt(PASSWORD, "maya", home)).kind).toBe("signed_in");
  // There, too, 5 failures wait, and 20 against whatever accounts.
  for (let n = 0; n < FAILURES_MAX; n++) expect((await countTry(pool, "maya", home)).kind).toBe("go");
  expect((await attempt(PASSWORD, "maya", home)).kind).toBe("wait");
  await flood();
  for (let n = 0; n < FAILURES_MAX_WIDE; n++) await countTry(pool, `w${n}`, home);
  expect((await attempt(PASSWORD, "maya", home)).kind).toBe("wait");
});

test("a sign-in of longer than 30 days ago makes no address known", async () => {
  const home = "198.51.100.30";
  expect((await attempt(PASSWORD, "maya", home)).kind).toBe("signed_in");
  const aged = async (interval: string) => {
    const sql = "update backstop.audit set at = at - $1::interval where address = $2";
    // Only the owner of the table could.
    await stores.pool("postgres", 1).query(sql, [interval, home]);
    for (let n = 0; n < FAILURES_MAX_WIDE; n++) await countTry(pool, "maya", `c${n}`);
    return (await countTry(pool, "maya", home)).kind;
  };
  expect(await aged("29 days 23 hours")).toBe("go");
  expect(await aged("1 hour 1 second")).toBe("wait");
});

test("whether an address is known costs one look into an index, however long the audit is", async () => {
  const owner = await stores.pool("postgres", 1).connect();
  await owner.query("begin; set local enable_seqscan = off; set local enable_bitmapscan = off");
  const { rows } = await owner.query(`explain ${TRY.text.replaceAll("$1", "'maya'").replaceAll("$2", "'192.0.2.1'")}`);
  await owner.query("rollback");
  owner.release();
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("audit_sign_in");
});

test("tries that come all at once are counted one by one", async () => {
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select pg_advisory_xact_lock(hashtext('backstop.sign_in'))");
  const tries = Array.from({ length: 12 }, () => countTry(pool, "maya", "192.0.2.9"));
  const blocked = "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
  // Asked outside the holder's transaction, in which the answer would stay the first one.
  const watcher = stores.pool("backstop_own", 1);
  while (((await watcher.query(blocked)).rowCount ?? 0) < 5) await new Promise((resolve) => setTimeout(resolve, 20));
  await holder.query("rollback");
  holder.release();
  const kinds = (await Promise.all(tries)).map((each) => each.kind);
  expect(kinds.filter((kind) => kind === "go")).toHaveLength(FAILURES_MAX);
});

test("what no longer counts is forgotten", async () => {
  await countTry(pool, "maya", "192.0.2.1");
  await later("16 minutes");
  expect(await countTry(pool, "other", "192.0.2.2")).toEqual({ kind: "go", triesLeft: 4 });
  expect((await pool.query("select 1 from backstop.sign_in_attempts")).rowCount).toBe(1);
});
