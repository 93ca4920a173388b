import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { pruneSamples } from "@/lib/console/samples/prune-samples";
import { takeSample } from "@/lib/console/samples/take-sample";
import { writeSample } from "@/lib/console/samples/write-sample";
import { createPool } from "@/lib/db/pg";
import type { QueueSample } from "@/lib/domain/queue-sample";
import { findQueue } from "@/lib/queues";
import { makeJob, makeLetter } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { inZone, zoneChanging } from "@/scripts/testing/zones";

let stores: TestStores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());
beforeEach(async () => {
  await own().query("delete from backstop.samples");
  await own().query("delete from backstop.samples_minute");
});
const pools: { own?: ReturnType<TestStores["pool"]>; game?: ReturnType<TestStores["pool"]> } = {};
const own = () => (pools.own ??= stores.pool("backstop_own"));
const game = () => (pools.game ??= stores.pool("engine"));
const queue = () => {
  const found = findQueue("persistence-retry", { game: stores.pool("backstop_read", 2), redis: null, rpc: null });
  if (!found) throw new Error("no queue");
  return found;
};
const rows = async (table: string) =>
  (await own().query(`select * from backstop.${table} order by 1, 2`)).rows as Record<string, unknown>[];

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 14, 3, 41);
const QUIET: QueueSample = {
  depths: {
    atMs: START,
    due: 0,
    scheduled: 0,
    retrying: 0,
    leased: 0,
    expired: 0,
    processing: null,
    dead: 0,
    oldestDueMs: 0,
    ages: [0, 0, 0, 0, 0],
  },
  resolved: 0,
  minutes: null,
  counters: { durableOnly: null, enqueueErrors: null },
};
const at = (atMs: number, depths: Partial<QueueSample["depths"]> = {}, more: Partial<QueueSample> = {}) =>
  writeSample(own(), "persistence-retry", { ...QUIET, ...more, depths: { ...QUIET.depths, ...depths, atMs } });
const counted = (minute: number, done: number, failed = 0, died = 0) => ({
  minuteMs: START + minute * MINUTE,
  done,
  failed,
  died,
  lostLeases: 1,
  staleSettles: 0,
});

test("a sample tells what the store holds: each state, each bucket of age, what was settled, and what is open", async () => {
  const character = { characterId: "00000000-0000-4000-8000-000000000001" };
  for (const state of ["due", "scheduled", "retrying", "leased", "expired"] as const)
    for (let each = 0; each < 5; each += 1) await makeJob(game(), state, character);
  const ages = ["3 seconds", "30 seconds", "2 minutes", "10 minutes", "2 hours"];
  for (const state of ["due", "expired"])
    await game().query(
      `update persistence_retry_jobs j set created_at = now() - a.age
        from (select retry_job_id, ($1::interval[])[row_number() over (order by retry_job_id)] as age
          from persistence_retry_jobs where ${state === "due" ? "lease_expires_at is null and next_attempt_at <= now()" : "lease_expires_at <= now()"}) a
        where j.retry_job_id = a.retry_job_id`,
      [ages],
    );
  await makeLetter(game(), character);
  await makeLetter(game(), character);
  await game().query(
    `insert into persistence_retry_minute_counts (minute, job_kind, worker, done, failed, dead, lost_leases, stale_settles)
     select date_trunc('minute', now()) - m * interval '1 minute', kind, 'w', 3, 2, 1, 4, 5
       from generate_series(0, 1) m, unnest(array['a', 'b']) kind`,
  );
  await takeSample(own(), queue(), null);
  const [sample] = await rows("samples");
  expect(sample).toMatchObject({
    ...{ due: 5, scheduled: 5, retrying: 5, leased: 5, expired: 5, processing: null, dead: 2, open: 2, capped: [] },
    ...{ age_10s: 2, age_1m: 2, age_5m: 2, age_30m: 2, age_older: 2 },
    ...{ done: 6, failed: 4, died: 2, lost_leases: 8, stale_settles: 10, durable_only: null, enqueue_errors: null },
  });
  expect(Number(sample?.oldest_due_ms)).toBeGreaterThanOrEqual(7_200_000);
  expect(Number(sample?.oldest_due_ms)).toBeLessThan(7_260_000);
});

test("the minute has the last depths, the highest age, and the counts as the store says them last", async () => {
  const minutes = (...of: ReturnType<typeof counted>[]) => ({ minutes: of });
  await at(START + 5_000, { due: 7, oldestDueMs: 900, ages: [7, 0, 0, 0, 0] }, minutes(counted(-1, 40), counted(0, 3)));
  await at(START + 30_000, { due: 9, oldestDueMs: 5_000 }, minutes(counted(-1, 41), counted(0, 8, 1)));
  await at(START + 55_000, { due: 2, oldestDueMs: 100 }, minutes(counted(-1, 41), counted(0, 11, 2)));
  // What was settled after the last reading of a minute is told by the first of the next.
  await at(START + 65_000, { due: 4, oldestDueMs: 50 }, minutes(counted(0, 12, 2, 1), counted(1, 1)));
  expect(await rows("samples_minute")).toMatchObject([
    { minute: new Date(START - MINUTE), read_at: null, due: null, oldest_due_ms: null, done: 41, failed: 0 },
    {
      ...{ minute: new Date(START), read_at: new Date(START + 55_000), due: 2, oldest_due_ms: "5000" },
      ...{ done: 12, failed: 2, died: 1, lost_leases: 1 },
    },
    { minute: new Date(START + MINUTE), due: 4, oldest_due_ms: "50", done: 1 },
  ]);
  expect((await rows("samples")).map(({ done }) => done)).toEqual([3, 8, 11, 1]);
});

test("two keepers that read the same 5 s at once make one sample, and the minute has none of the second", async () => {
  const race = await Promise.all(
    Array.from({ length: 8 }, (_, index) => at(START + 10_000 + index, { due: 100 + index, oldestDueMs: index })),
  );
  expect(race.filter((kept) => kept > 0)).toHaveLength(1);
  const [sample, ...more] = await rows("samples");
  expect(more).toEqual([]);
  expect(await rows("samples_minute")).toMatchObject([{ due: sample?.due, oldest_due_ms: sample?.oldest_due_ms }]);
  expect(await at(START + 15_000)).toBe(1);
});

test("a store that does not answer leaves no sample and no minute: a gap is a gap", async () => {
  const away = createPool({ url: "postgres://a:b@127.0.0.1:1/c", application: "t", max: 1, statementTimeoutMs: 1_000 });
  const gone = findQueue("persistence-retry", { game: away, redis: null, rpc: null });
  if (!gone) throw new Error("no queue");
  await expect(takeSample(own(), gone, null)).rejects.toThrow();
  expect([await rows("samples"), await rows("samples_minute")]).toEqual([[], []]);
  await away.end();
});

test("what the engine counts itself is kept as it tells it; an engine that does not answer costs the sample nothing", async () => {
  const text = [
    "# TYPE backstop_persistence_retry_durable_only_total counter",
    'backstop_persistence_retry_durable_only_total{reason="queue_full"} 7',
    'backstop_persistence_retry_durable_only_total{reason="queue_closed"} 2',
  ].join("\n");
  const server = createServer((request, response) =>
    response.writeHead(request.headers.authorization === "Bearer good" ? 200 : 401).end(text),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const engineUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await takeSample(own(), queue(), { engineUrl, token: "good" });
    expect(await rows("samples")).toMatchObject([
      { durable_only: { queue_full: 7, queue_closed: 2 }, enqueue_errors: null },
    ]);
    await own().query("delete from backstop.samples");
    await takeSample(own(), queue(), { engineUrl, token: "bad" });
    expect(await rows("samples")).toMatchObject([{ durable_only: null, due: 5 }]);
  } finally {
    server.close();
  }
});

test("the prune takes what is too old in batches, of every queue, and nothing else", async () => {
  await own().query(
    `insert into backstop.samples (queue, at) select q, statement_timestamp() - interval '48 hours' + s * interval '5 seconds'
       from unnest(array['a', 'b']) q, generate_series(-60, 59) s`,
  );
  await own().query(
    `insert into backstop.samples_minute (queue, minute) select q, date_trunc('minute', statement_timestamp()) - interval '30 days' + s * interval '1 minute'
       from unnest(array['a', 'b']) q, generate_series(-30, 29) s`,
  );
  // More batches than one, fewer than a turn allows.
  const gone = await pruneSamples(own(), 25);
  const [left, minutes] = [await rows("samples"), await rows("samples_minute")];
  expect(gone).toBe(240 + 120 - left.length - minutes.length);
  for (const [kept, half] of [
    [left, 120],
    [minutes, 60],
  ] as const) {
    expect(kept.length).toBeGreaterThanOrEqual(half - 2);
    expect(kept.length).toBeLessThanOrEqual(half + 2);
  }
});

test("thirty days are 720 hours where a database's clocks went forward or back in them: no hour is lost, none is left", async () => {
  const changedMs = Math.floor((Date.now() - 10 * 86_400_000) / 3_600_000) * 3_600_000;
  for (const way of ["forward", "back"] as const) {
    await own().query("delete from backstop.samples_minute");
    await own().query(
      `insert into backstop.samples_minute (queue, minute)
         select 'a', date_trunc('minute', statement_timestamp()) - interval '720 hours' + s * interval '1 minute'
           from unnest(array[-90, -10, 10, 90]) s`,
    );
    const url = inZone(stores.postgresUrl("backstop_own"), zoneChanging(changedMs, way));
    const zoned = createPool({ url, application: "t", max: 1, statementTimeoutMs: 5_000 });
    const { rows: offsets } = await zoned.query(
      "select extract(timezone from to_timestamp($1 - 1))::int as before, extract(timezone from to_timestamp($1))::int as after",
      [changedMs / 1_000],
    );
    expect(offsets).toEqual([way === "forward" ? { before: 0, after: 3_600 } : { before: 3_600, after: 0 }]);
    expect(await pruneSamples(zoned)).toBe(2);
    await zoned.end();
  }
});

test("what was counted while no keeper read is told by the first that reads again; what nobody read has no depths", async () => {
  const { minute } = (await game().query("select date_trunc('minute', now()) as minute")).rows[0];
  await game().query("delete from persistence_retry_minute_counts");
  await game().query(
    `insert into persistence_retry_minute_counts (minute, job_kind, worker, done, failed, dead, lost_leases, stale_settles)
     select $1::timestamptz - m * interval '1 minute', 'a', 'w', 100 + m, m, 1, 0, 0 from generate_series(0, 40) m`,
    [minute],
  );
  // The last that was read before it went away, in the middle of a minute.
  await own().query(
    `insert into backstop.samples_minute (queue, minute, read_at, due, done)
       select 'persistence-retry', m, m + interval '30 seconds', 3, 7
         from (select $1::timestamptz - interval '30 minutes' as m) away`,
    [minute],
  );
  await takeSample(own(), queue(), null);
  const told = await rows("samples_minute");
  const done = told.map((row) => row.done as number);
  // Thirty minutes and the one that has begun; another may have begun since the rows were made.
  expect(done.filter((count) => count > 0)).toEqual(Array.from({ length: 31 }, (_, m) => 130 - m));
  expect(told.slice(1, 29).every(({ due, read_at }) => due === null && read_at === null)).toBe(true);
  expect(told[0]).toMatchObject({ due: 3 });
});
