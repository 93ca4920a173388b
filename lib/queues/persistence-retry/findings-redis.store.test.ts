import type { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createReadRedis } from "@/lib/db/redis";
import { type FindingDesk, openFindingDesk } from "@/scripts/testing/finding-desk";
import { makeLetter } from "@/scripts/testing/game";
import { type OwnRedis, openOwnRedis } from "@/scripts/testing/own-redis";
import { until } from "@/scripts/testing/until";

// What a Redis says that cannot serve just now: on servers of this file's own, as it takes a restart or a full disk.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SAFE = { code: "store_fit_redis", severity: "ok", title: "Redis takes writes and keeps them", evidence: [] };
const LOADING = {
  severity: "warn",
  title: "Redis is loading its data",
  reason: "Until that is done it answers no reads and takes no writes.",
  acknowledgement: "Redis is not in order. I know what this session reading is worth.",
  runbook: "store_fit_redis",
};

let desk: FindingDesk;
let letterId: string;
const opened: { server: OwnRedis; reading: Redis }[] = [];
beforeAll(async () => {
  // The desk has an error to log for each time that a server goes away.
  vi.spyOn(console, "error").mockImplementation(() => {});
  desk = await openFindingDesk();
  ({ letterId } = await makeLetter(desk.game));
});
afterAll(async () => {
  for (const { server, reading } of opened) {
    reading.disconnect();
    await server.end();
  }
  await desk?.end();
});

/** A server, and the desk's own connection to it, made while it was in order. */
async function ownRedis(lines: string[], smallFiles = false) {
  const server = await openOwnRedis(lines, smallFiles);
  const reading = createReadRedis(server.url("console"), "test-own");
  opened.push({ server, reading });
  await reading.ping();
  return { server, reading, find: () => desk.find(letterId, { redis: reading }) };
}

/** Keys that fill more than one step of loading each, so that the server answers between any two of them. */
const FILL = "for i = 1, 3000 do redis.call('set', 'filler:' .. i, string.rep('x', 1100)) end";
const IN_STEPS = ["rdbcompression no", "loading-process-events-interval-bytes 1024", "enable-debug-command yes"];
/** Microseconds a key: half a minute for all, unless it is taken back. */
const SLOW = "10000";

test("Redis that starts again and loads its data: warned while it loads, and not once it has", async () => {
  const { server, reading, find } = await ownRedis(IN_STEPS);
  expect((await find()).store_fit_redis).toEqual(SAFE);
  await server.admin.eval(FILL, 0);
  // From commands it would load a thousand at a step, and not answer in between.
  await server.admin.bgrewriteaof();
  await until(async () => /aof_base_size:\d{7}/.test(await server.admin.info("persistence")));
  await server.restart([`key-load-delay ${SLOW}`]);
  await until(async () => reading.status === "connect");

  const found = await find();
  expect(await server.admin.info("persistence")).toContain("\r\nloading:1\r\n");
  expect(found.store_fit_redis).toMatchObject(LOADING);
  expect(found.store_fit_redis?.evidence).toContainEqual({ label: "loading", value: "1" });
  // Redis calls it off while it loads: that is no danger, and no evidence.
  expect(found.store_fit_redis?.evidence).toContainEqual({ label: "aof_enabled", value: "not told" });
  expect(found.session_active).toMatchObject({ severity: "unknown", title: "The session could not be checked" });

  await server.admin.config("SET", "key-load-delay", "0");
  await until(async () => reading.status === "ready");
  expect((await find()).store_fit_redis).toEqual(SAFE);
});

test("Redis that loads its data anew under the desk's connection: the session says so, too", async () => {
  const { server, find } = await ownRedis(IN_STEPS);
  await server.admin.eval(FILL, 0);
  await server.admin.config("SET", "key-load-delay", SLOW);
  const reload = server.admin.duplicate();
  const reloaded = reload.call("DEBUG", "RELOAD");
  await until(async () => (await server.admin.info("persistence")).includes("\r\nloading:1\r\n"));

  const found = await find();
  expect(found.store_fit_redis).toMatchObject(LOADING);
  expect(found.session_active).toMatchObject({ severity: "unknown", reason: "Redis is loading its data." });

  await server.admin.config("SET", "key-load-delay", "0");
  await reloaded;
  reload.disconnect();
  const after = await find();
  expect([after.store_fit_redis?.severity, after.session_active?.severity]).toEqual(["ok", "ok"]);
});

test("an append-only file that cannot be written: warned while writes are refused, and not once it can", async () => {
  const { server, find } = await ownRedis([], true);
  expect((await find()).store_fit_redis).toEqual(SAFE);
  const fill = async () => {
    for (let times = 0; times < 100; times++) await server.admin.set("filler", "x".repeat(10_000));
  };
  await expect(fill()).rejects.toThrow(/^MISCONF Errors writing to the AOF file/);

  const { store_fit_redis } = await find();
  expect(store_fit_redis).toMatchObject({
    severity: "warn",
    title: "The last write of the append-only file failed",
    reason: "Redis may refuse writes, or lose them at a restart.",
    acknowledgement: "Redis is not in order. I know what this session reading is worth.",
    runbook: "store_fit_redis",
  });
  expect(store_fit_redis?.evidence).toContainEqual({ label: "aof_last_write_status", value: "err" });

  // A new file has room again: what was kept back is written to it.
  await server.admin.bgrewriteaof();
  await until(async () => (await server.admin.info("persistence")).includes("\r\naof_last_write_status:ok\r\n"));
  expect(await server.admin.set("filler", "x")).toBe("OK");
  expect((await find()).store_fit_redis).toMatchObject({ severity: "ok" });
});
