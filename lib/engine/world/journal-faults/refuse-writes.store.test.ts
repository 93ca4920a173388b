import { Redis } from "ioredis";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readDepths } from "@/lib/engine/durable/redis-work-queue";
import { closeStream } from "@/lib/engine/session-lifecycle";
import { countsOf, type JournalWorld, openJournalWorld, stateOf, until } from "@/lib/engine/session-lifecycle/testing";
import { type OwnRedis, openOwnRedis } from "@/scripts/testing/own-redis";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { refusalSwitch } from "./refuse-writes";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let stores: TestStores;
let pool: pg.Pool;
let own: OwnRedis;
let world: JournalWorld;
beforeAll(async () => {
  [stores, own] = await Promise.all([openStores(), openOwnRedis()]);
  pool = stores.pool("engine");
  world = await openJournalWorld({ redisUrl: own.url }, pool);
});
afterAll(async () => {
  await world.close();
  await own.end();
  await stores.close();
});

test("while Redis refuses writes a session stays and its outcome says why; then the same stream is closed and worked off", async () => {
  const refusal = refusalSwitch(own.url("demo"));
  const cleanup = await world.connect();
  await world.work();
  await until(async () => (await world.admin.hlen(world.queue.keys.runtimes)) === 1);
  await refusal.set(true);
  expect(await closeStream(world, cleanup)).toEqual({
    kind: "session_left",
    trouble: "refused",
    enqueueError: expect.stringMatching(/^OOM command not allowed/),
  });
  expect((await stateOf(world, pool, cleanup)).active).toBe(true);
  expect(await readDepths(world.queue)).toMatchObject({ pending: 0, deadLetter: 0 });
  await refusal.set(false);
  expect(await closeStream(world, cleanup)).toMatchObject({ kind: "closed", session: "removed" });
  await until(async () => (await countsOf(world)).done === 1);
  expect(await stateOf(world, pool, cleanup)).toMatchObject({ active: false, presence: "away" });
  await refusal.close();
});

test("an engine that ends while it refuses leaves a Redis that takes writes, and the demo's user sees no key", async () => {
  const refusal = refusalSwitch(own.url("demo"));
  await refusal.set(true);
  await refusal.close();
  expect(await world.admin.config("GET", "maxmemory")).toEqual(["maxmemory", "0"]);
  // What an earlier life left behind is taken back at the first look of the next.
  await world.admin.config("SET", "maxmemory", "1");
  const next = refusalSwitch(own.url("demo"));
  await next.set(false);
  await next.close();
  expect(await world.admin.config("GET", "maxmemory")).toEqual(["maxmemory", "0"]);
  const demo = new Redis(own.url("demo"));
  await expect(demo.get("session:active:x")).rejects.toThrow(/^NOPERM/);
  await expect(demo.config("GET", "dir")).rejects.toThrow(/^NOPERM/);
  demo.disconnect();
});
