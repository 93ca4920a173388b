import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareDatabase, type Services, startServices } from "./index";
import { scratchState } from "./scratch";

const scratch = scratchState();
let services: Services;
beforeAll(async () => {
  services = await startServices({ ...scratch, fast: true, endWithStarter: true });
  await tell("engine", "create table public.letters (id int); insert into public.letters values (1)");
  await tell("backstop_migrate", "create table backstop.things (id int)");
});
afterAll(async () => {
  await services?.stop();
  await scratch.remove();
});

type Role = Parameters<Services["postgres"]["url"]>[0];

/** What the server says to a statement: its code when refused. */
async function tell(role: Role, sql: string, database?: string): Promise<string> {
  const client = new pg.Client({ connectionString: services.postgres.url(role, database) });
  await client.connect();
  try {
    await client.query(sql);
    return "done";
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.end();
  }
}

const REFUSED = "42501";
const READ_ONLY = "25006";

test.each<[Role, string, string]>([
  ["backstop_read", "select * from public.letters", "done"],
  ["backstop_read", "insert into public.letters values (2)", READ_ONLY],
  ["backstop_read", "begin read write; delete from public.letters", REFUSED],
  ["backstop_read", "begin read write; create table public.mine (id int)", REFUSED],
  ["backstop_read", "begin read write; create temp table mine (id int)", REFUSED],
  ["backstop_read", "begin read write; update public.letters set id = 3", REFUSED],
  ["backstop_read", "begin read write; truncate public.letters", REFUSED],
  ["backstop_read", "begin read write; drop table public.letters", REFUSED],
  ["backstop_read", "begin read write; alter table public.letters add column mine int", REFUSED],
  ["backstop_read", "begin read write; lock table public.letters in exclusive mode", REFUSED],
  ["backstop_read", "select * from public.letters for update", READ_ONLY],
  ["backstop_read", "begin read write; select * from public.letters for update", REFUSED],
  ["backstop_read", "set role engine", REFUSED],
  ["backstop_read", "copy public.letters to program 'true'", REFUSED],
  ["backstop_read", "select * from backstop.things", REFUSED],
  ["backstop_own", "select * from public.letters", REFUSED],
  ["backstop_own", "insert into public.letters values (2)", REFUSED],
  ["backstop_own", "update public.letters set id = 3", REFUSED],
  ["backstop_own", "delete from public.letters", REFUSED],
  ["backstop_own", "truncate public.letters", REFUSED],
  ["backstop_own", "drop table public.letters", REFUSED],
  ["backstop_own", "set role engine", REFUSED],
  ["backstop_own", "create table public.mine (id int)", REFUSED],
  ["backstop_own", "create table backstop.mine (id int)", REFUSED],
  ["backstop_own", "select * from backstop.things", REFUSED],
  ["backstop_migrate", "create table public.mine (id int)", REFUSED],
  ["engine", "select * from backstop.things", REFUSED],
  ["engine", "create schema mine", REFUSED],
  ["engine", "create role mine", REFUSED],
])("Postgres, %s: %s → %s", async (role, sql, answer) => {
  expect(await tell(role, sql)).toBe(answer);
});

test("no role but postgres is a superuser, and a wrong password does not get in", async () => {
  const client = new pg.Client({ connectionString: services.postgres.url("postgres") });
  await client.connect();
  const { rows } = await client.query("select rolname from pg_roles where rolsuper");
  await client.end();
  expect(rows).toEqual([{ rolname: "postgres" }]);
  const url = new URL(services.postgres.url("postgres"));
  url.password = "wrong";
  await expect(new pg.Client({ connectionString: url.href }).connect()).rejects.toMatchObject({ code: "28P01" });
});

test("a database for tests gets the same rights, copies of it keep those of its schemas, and preparing twice is fine", async () => {
  const admin = services.postgres.url("postgres", "postgres");
  await prepareDatabase(admin, "template_x");
  await prepareDatabase(admin, "template_x");
  expect(await tell("postgres", "create database copy_x template template_x", "postgres")).toBe("done");
  expect(await tell("engine", "create table public.letters (id int)", "copy_x")).toBe("done");
  expect(await tell("backstop_read", "select * from public.letters", "copy_x")).toBe("done");
  expect(await tell("backstop_own", "create table public.mine (id int)", "copy_x")).toBe(REFUSED);
});

/** What Redis says to a command. */
async function say(user: "console" | "engine" | "default", command: string, ...args: string[]): Promise<unknown> {
  const url = user === "default" ? `redis://127.0.0.1:${services.redis.port}` : services.redis.url(user);
  const redis = new Redis(url, { retryStrategy: () => null, enableReadyCheck: false, lazyConnect: true });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return await redis.call(command, ...args);
  } catch (error) {
    return (error as Error).message.split(" ")[0];
  } finally {
    redis.disconnect();
  }
}

const PENDING = "{session_lifecycle}:journal:pending";

test("Redis, console: reads the game's keys and can do nothing else", async () => {
  expect(await say("console", "LRANGE", PENDING, "0", "-1")).toEqual([]);
  expect(await say("console", "EXISTS", "session:active:x")).toBe(0);
  expect(await say("console", "TIME")).toHaveLength(2);
  expect(await say("console", "LRANGE", "other", "0", "-1")).toBe("NOPERM");
  for (const command of [
    ["SET", "session:active:x", "1"],
    ["LPUSH", PENDING, "x"],
    ["DEL", PENDING],
    ["RPUSH", PENDING, "x"],
    ["LREM", PENDING, "1", "x"],
    ["LPOP", PENDING],
    ["RPOPLPUSH", PENDING, PENDING],
    ["LMOVE", PENDING, PENDING, "LEFT", "RIGHT"],
    ["LTRIM", PENDING, "0", "0"],
    ["LSET", PENDING, "0", "x"],
    ["HSET", "session:active:x", "since", "1"],
    ["EXPIRE", "session:active:x", "1"],
    ["PERSIST", "session:active:x"],
    ["RENAME", PENDING, "session:active:x"],
    ["UNLINK", PENDING],
    ["COPY", PENDING, "session:active:x"],
    ["RESTORE", "session:active:x", "0", "x"],
    ["SORT", PENDING, "STORE", PENDING],
    ["GETDEL", "session:active:x"],
    ["XADD", "{session_lifecycle}:s", "*", "a", "b"],
    ["EVAL", "return 1", "0"],
    ["EVALSHA", "0".repeat(40), "0"],
    ["FCALL", "f", "0"],
    ["SCRIPT", "LOAD", "return 1"],
    ["FLUSHDB"],
    ["SWAPDB", "0", "1"],
    ["MONITOR"],
    ["SHUTDOWN", "NOSAVE"],
    ["REPLICAOF", "NO", "ONE"],
    ["KEYS", "*"],
    ["CONFIG", "GET", "dir"],
    ["FLUSHALL"],
    ["ACL", "LIST"],
    ["PUBLISH", "x", "y"],
  ] as [string, ...string[]][]) {
    expect([command[0], await say("console", ...command)]).toEqual([command[0], "NOPERM"]);
  }
});

test("Redis, engine: works on its keys, also inside Lua, and administers nothing", async () => {
  expect(await say("engine", "LPUSH", PENDING, "x")).toBe(1);
  expect(await say("engine", "EVAL", "return redis.call('RPOP', KEYS[1])", "1", PENDING)).toBe("x");
  expect(await say("engine", "EVAL", "return redis.call('TIME')[1] ~= nil", "0")).toBe(1);
  expect(await say("engine", "SET", "backstop:nonce", "1", "NX", "PX", "1000")).toBe("OK");
  expect(await say("engine", "XADD", "{session_lifecycle}:s", "*", "a", "b")).toMatch(/^\d+-\d+$/);
  expect(await say("engine", "SET", "other", "1")).toBe("NOPERM");
  expect(await say("engine", "EVAL", "return redis.call('SET', 'other', '1')", "0")).toMatch(/NOPERM|ERR/);
  for (const command of [["CONFIG", "GET", "dir"], ["FLUSHALL"], ["KEYS", "*"], ["SHUTDOWN"], ["ACL", "LIST"]]) {
    expect(await say("engine", ...(command as [string, ...string[]]))).toBe("NOPERM");
  }
});

test("Redis: without a user nobody gets in", async () => {
  expect(await say("default", "PING")).toMatch(/NOAUTH/);
  for (const password of ["", "default"])
    expect(await say("default", "AUTH", "default", password)).toMatch(/WRONGPASS/);
});
