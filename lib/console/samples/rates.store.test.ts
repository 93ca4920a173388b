import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { historyOf } from "@/lib/console/overview/history";
import { untilNextSlot } from "@/lib/console/samples/next-slot";
import { writeSample } from "@/lib/console/samples/write-sample";
import type { ChartRange } from "@/lib/domain/chart-range";
import type { Column } from "@/lib/domain/history";
import type { QueueSample } from "@/lib/domain/queue-sample";
import { insertJob, newCharacter, rewardsJob } from "@/lib/engine/testing/maker";
import { startEngine } from "@/scripts/testing/engine";
import { startKeeper } from "@/scripts/testing/keeper";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";

let stores: TestStores;
let own: ReturnType<TestStores["pool"]>;
beforeAll(async () => {
  stores = await openStores();
  own = stores.pool("backstop_own");
});
afterAll(() => stores.close());
beforeEach(async () => {
  await own.query("delete from backstop.samples; delete from backstop.samples_minute");
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A whole hour of yesterday: inside the 48 h of the samples of 5 s. */
const START = Math.floor((Date.now() - 26 * HOUR) / HOUR) * HOUR;
const QUEUE = "persistence-retry";

async function read(range: ChartRange) {
  const reading = await historyOf(own, [QUEUE], range);
  if (reading.kind !== "read") throw new Error(reading.sentence);
  const [queue] = reading.value.queues;
  if (!queue) throw new Error("the queue is missing");
  return { ...queue, bins: reading.value.counts };
}

/** A store's counter: so many a minute by the hour's tenths, evenly within each. */
const RATES = [120, 600, 60, 1_500, 300, 300];
const happened = (toMs: number): number => {
  const since = Math.min(HOUR, Math.max(0, toMs - START));
  return RATES.reduce((sum, rate, tenth) => {
    const within = Math.min(10 * MINUTE, Math.max(0, since - tenth * 10 * MINUTE));
    return sum + Math.floor((within / MINUTE) * rate);
  }, 0);
};
const between = (fromMs: number, toMs: number) => happened(toMs) - happened(fromMs);

/** What the store says at an instant: the minute that has begun and those before it, back to `sinceMs`. */
function minutesAt(atMs: number, sinceMs: number) {
  const own = Math.floor(atMs / MINUTE) * MINUTE;
  const first = Math.min(own - 2 * MINUTE, Math.floor(sinceMs / MINUTE) * MINUTE);
  return Array.from({ length: (own - first) / MINUTE + 1 }, (_, index) => {
    const minuteMs = first + index * MINUTE;
    const done = between(minuteMs, Math.min(atMs, minuteMs + MINUTE));
    return {
      ...{ minuteMs, done, failed: Math.floor(done / 4), died: Math.floor(done / 30) },
      ...{ lostLeases: 0, staleSettles: 0 },
    };
  });
}
const sampleAt = (atMs: number, lastMs: number): QueueSample => ({
  depths: {
    ...{ atMs, due: 1, scheduled: 0, retrying: 0, leased: 0, expired: 0, processing: null, dead: 0, oldestDueMs: 0 },
    ages: [1, 0, 0, 0, 0],
  },
  ...{ resolved: 0, minutes: minutesAt(atMs, lastMs), counters: { durableOnly: null, enqueueErrors: null } },
});

/** Bins that were told, each beside what happened in it. */
function compared(column: Column | null, { fromMs, widthMs }: { fromMs: number; widthMs: number }, share = 1) {
  return (column ?? []).flatMap((charted, bin) => {
    const [from, to] = [fromMs + bin * widthMs, fromMs + (bin + 1) * widthMs];
    return charted === null || from < START || to > START + HOUR ? [] : [{ charted, real: between(from, to) * share }];
  });
}

test("an hour of a known rate, read every 5 s by a keeper that is late and was away for seven minutes: charted within 5 %", async () => {
  let lastMs = START;
  let late = 0;
  for (let atMs = START + 1_200; atMs < START + HOUR + MINUTE; ) {
    // Each reading is somewhat late, each another time.
    late = (late * 7 + 113) % 1_900;
    const away = atMs > START + 31 * MINUTE && atMs < START + 38 * MINUTE;
    if (!away) {
      await writeSample(own, QUEUE, sampleAt(atMs, lastMs));
      lastMs = atMs;
    }
    atMs += untilNextSlot(atMs) + late;
  }
  const to = START + HOUR;
  for (const [fromMs, widthMs, bins] of [
    [to - 15 * MINUTE, MINUTE, 15],
    [START, MINUTE, 60],
    [to - 24 * HOUR, 10 * MINUTE, 6],
    [to - 7 * 24 * HOUR, HOUR, 1],
  ] as const) {
    const charts = await read({ kind: "between", fromMs, toMs: to });
    expect(charts.bins.widthMs).toBe(widthMs);
    for (const [column, share] of [
      [charts.done, 1],
      [charts.failed, 1 / 4],
      [charts.died, 1 / 30],
    ] as const) {
      const told = compared(column, charts.bins, share);
      expect(told).toHaveLength(bins);
      for (const { charted, real } of told)
        expect(Math.abs(charted - real)).toBeLessThanOrEqual(Math.max(1, real * 0.05));
    }
  }
  // What was read of the backlog has its gap, and nothing beside it.
  const { waiting } = await read({ kind: "between", fromMs: START, toMs: to - 45 * MINUTE });
  expect(waiting?.includes(null)).toBe(false);
  const over = await read({ kind: "between", fromMs: START + 30 * MINUTE, toMs: START + 40 * MINUTE });
  const gap = (over.waiting ?? []).flatMap((value, bin) => (value === null ? [bin] : []));
  expect(gap.length).toBeGreaterThanOrEqual(83);
  expect(gap.length).toBeLessThanOrEqual(85);
  expect((gap.at(-1) ?? 0) - (gap[0] ?? 0)).toBe(gap.length - 1);
}, 60_000);

test("what a real engine settled at a known rate is what a real keeper's chart says, minute by minute", async () => {
  const game = stores.pool("engine");
  const person = await newCharacter(game);
  const keeper = startKeeper(stores);
  const engine = await startEngine(stores);
  try {
    for (let job = 0; job < 120; job += 1) {
      // One of six never can be written: three attempts, then a dead letter.
      await insertJob(game, rewardsJob(person, job % 6 === 0 ? { zoneId: "nowhere" } : {}));
      await sleep(25);
    }
    await until(async () => (await game.query("select from persistence_retry_jobs limit 1")).rowCount === 0, 40_000);
    const settled = (await game.query("select clock_timestamp() as at")).rows[0].at as Date;
    await until(async () => {
      const text = "select from backstop.samples where queue = $1 and at > $2 limit 1";
      return (await own.query(text, [QUEUE, settled])).rowCount === 1;
    });
    const charts = await read({ kind: "last", span: "15m" });
    for (const [column, real, all] of [
      [charts.done, "select granted_at as at from reward_ledger", 100],
      [charts.failed, "select started_at as at from persistence_retry_attempts where error is not null", 60],
      [charts.died, "select dead_lettered_at as at from persistence_job_dead_letters", 20],
    ] as const) {
      const { rows } = await game.query(
        `select date_trunc('minute', at) as minute, count(*)::int as n from (${real}) happened group by 1`,
      );
      const ofMinute = new Map(rows.map(({ minute, n }) => [minute.getTime(), n as number]));
      expect([...ofMinute.values()].reduce((sum, n) => sum + n, 0)).toBe(all);
      const charted = (column ?? []).map((value, bin) => [charts.bins.fromMs + bin * MINUTE, value ?? 0] as const);
      expect(charted.reduce((sum, [, n]) => sum + n, 0)).toBe(all);
      // One that began in a minute and ended in the next is counted in the second.
      for (const [minuteMs, n] of charted)
        expect(Math.abs(n - (ofMinute.get(minuteMs) ?? 0))).toBeLessThanOrEqual(Math.max(1, n * 0.05));
    }
  } finally {
    await keeper.end();
    await engine.end();
  }
}, 120_000);
