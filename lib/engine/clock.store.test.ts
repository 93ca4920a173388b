import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { workUnderClock } from "./testing/under-clock";

vi.setConfig({ testTimeout: 120_000 });

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
});
afterAll(() => stores.close());

const TRUE_TIMES = {
  answered_at: true,
  applied_at: true,
  changed_at: true,
  dead_lettered_at: true,
  granted_at: true,
  requeued_at: true,
  settled_at: true,
  started_at: true,
};

test.each([
  ["an hour fast", 3_600_000],
  ["a day slow", -86_400_000],
])(
  "the engine's clock is %s: it claims, retries, buries and requeues by the store's, and every time that it stores is the store's",
  async (_how, shiftMs) => {
    const given = { pool, databaseUrl: stores.postgresUrl("engine"), rpcKeys: stores.rpcKeys, shiftMs };
    expect(await workUnderClock(given)).toEqual({
      requeues: ["ok", ["requeued"]],
      leases: true,
      left: { scheduled: 1, leased: 1, all: 2 },
      outcomes: ["died_again", "recovered"],
      backoff: { right: true, tries: 2 },
      gold: "820",
      times: TRUE_TIMES,
      logIsWrongByMinutes: shiftMs / 60_000,
    });
  },
);
