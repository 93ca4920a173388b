import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type JournalWorld, openJournalWorld, until } from "@/lib/engine/session-lifecycle/testing";
import { seedWorld } from "@/lib/engine/world/seed";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { type Crowd, gather } from "./crowd";

vi.setConfig({ testTimeout: 60_000 });

let stores: TestStores;
let pool: pg.Pool;
let world: JournalWorld;
let crowd: Crowd;
let hurry = 0;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
  await seedWorld(pool);
  world = await openJournalWorld(stores, pool);
  crowd = gather({ pool, close: world }, () => hurry);
});
afterAll(async () => {
  await world.close();
  await stores.close();
});

const counted = async (word: string) => {
  const counts = Object.entries(await world.admin.hgetall(world.queue.keys.minutes));
  return counts.reduce((sum, [field, count]) => sum + (field.endsWith(` ${word}`) ? Number(count) : 0), 0);
};
const activeSessions = async () => (await world.admin.keys("session:active:*")).length;

test("players come and leave in every way; each leaving is worked off, and when all have left no session is active", async () => {
  await world.work();
  // Each moment is a long one: whoever is there leaves in the next.
  const pass = async () => {
    hurry += 61_000;
    await crowd.step();
  };
  for (let moment = 0; moment < 160; moment += 1) await pass();
  // How somebody leaves is a matter of chance: one in ten times it is by a handover.
  const workedOff = () =>
    until(async () => (await counted("done")) + (await counted("skipped_reconnected")) === (await counted("queued")));
  for (let more = 0; more < 1_000 && (await counted("skipped_reconnected")) === 0; more += 1) {
    await pass();
    // A worker that lags behind finds whoever came back gone again.
    await workedOff();
  }
  await crowd.empty();
  expect(await counted("queued")).toBeGreaterThan(20);
  await workedOff();
  // Somebody's next stream was there before the end of the one before was noticed.
  expect(await counted("skipped_reconnected")).toBeGreaterThan(0);
  expect(await counted("dead")).toBe(0);
  expect(await activeSessions()).toBe(0);
});
