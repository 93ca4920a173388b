import { afterAll, beforeAll, expect, test } from "vitest";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { writeSample } from "./write-sample";

let stores: TestStores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

const START = Date.UTC(2026, 10, 14, 3, 41);
type Read = { due: number; oldestDueMs: number; done: [minute: number, count: number][] };

const read = (second: number, { due, oldestDueMs, done }: Read) =>
  writeSample(stores.pool("backstop_own", 1), "persistence-retry", {
    depths: {
      ...{ atMs: START + second * 1_000, due, oldestDueMs, ages: [due, 0, 0, 0, 0] },
      ...{ scheduled: 0, retrying: 0, leased: 0, expired: 0, processing: null, dead: 0 },
    },
    resolved: 0,
    minutes: done.map(([minute, count]) => ({
      ...{ minuteMs: START + minute * 60_000, done: count },
      ...{ failed: 0, died: 0, lostLeases: 0, staleSettles: 0 },
    })),
    counters: { durableOnly: null, enqueueErrors: null },
  });

test("what a keeper had read when it was frozen is kept late, and takes no count, no age and no later depth away", async () => {
  await read(50, { due: 5, oldestDueMs: 100, done: [[0, 8]] });
  // The other one has the duty meanwhile, and the minute is over.
  await read(65, {
    due: 7,
    oldestDueMs: 200,
    done: [
      [0, 12],
      [1, 1],
    ],
  });
  await read(75, {
    due: 8,
    oldestDueMs: 300,
    done: [
      [0, 12],
      [1, 4],
    ],
  });
  expect(
    await read(55, {
      due: 6,
      oldestDueMs: 5_000,
      done: [
        [-1, 0],
        [0, 9],
      ],
    }),
  ).toBe(1);
  expect(
    await read(71, {
      due: 9,
      oldestDueMs: 900,
      done: [
        [0, 9],
        [1, 2],
      ],
    }),
  ).toBe(1);
  const { rows } = await stores
    .pool("backstop_own", 1)
    .query("select minute, read_at, due, oldest_due_ms, done from backstop.samples_minute order by minute");
  const at = (second: number) => new Date(START + second * 1_000);
  expect(rows).toEqual([
    { minute: at(-60), read_at: null, due: null, oldest_due_ms: null, done: 0 },
    { minute: at(0), read_at: at(55), due: 6, oldest_due_ms: "5000", done: 12 },
    { minute: at(60), read_at: at(75), due: 8, oldest_due_ms: "900", done: 4 },
  ]);
});
