import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readGroups } from "@/lib/console/archive/groups";
import { readHistogram } from "@/lib/console/archive/histogram";
import { historyOf } from "@/lib/console/overview/history";
import { recentOf } from "@/lib/console/overview/recent";
import { writeSample } from "@/lib/console/samples/write-sample";
import { createPool } from "@/lib/db/pg";
import { binsOf } from "@/lib/domain/bins";
import { findQueue } from "@/lib/queues";
import { archiveLetter } from "@/scripts/testing/archived-letters";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { inZone, NEW_YORK_CHANGES, ZONES, zoneChanging } from "@/scripts/testing/zones";

let stores: TestStores;
let own: Pool;
const zoned: Pool[] = [];
beforeAll(async () => {
  stores = await openStores();
  own = stores.pool("backstop_own");
});
afterAll(async () => {
  await Promise.all(zoned.map((pool) => pool.end()));
  await stores.close();
});
beforeEach(async () => {
  await own.query(
    "delete from backstop.samples; delete from backstop.samples_minute; delete from backstop.dead_letters",
  );
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const QUEUE = "persistence-retry";

function poolIn(zone: string, role: "backstop_own" | "backstop_read" = "backstop_own"): Pool {
  const url = inZone(stores.postgresUrl(role), zone);
  const pool = createPool({ url, application: "zones", max: 4, statementTimeoutMs: 5_000 });
  zoned.push(pool);
  return pool;
}
const offsets = async (pool: Pool, atMs: number) =>
  (
    await pool.query(
      "select extract(timezone from to_timestamp($1 - 1))::int as before, extract(timezone from to_timestamp($1))::int as after",
      [atMs / 1_000],
    )
  ).rows[0];
async function history(pool: Pool, fromMs: number, toMs: number) {
  const reading = await historyOf(pool, [QUEUE], { kind: "between", fromMs, toMs });
  if (reading.kind !== "read") throw new Error(reading.sentence);
  return reading.value;
}

test.each(NEW_YORK_CHANGES)(
  "over the hour at which clocks go $way, minutes are kept and drawn the same in databases of every zone: none lost, none doubled",
  async ({ way, atMs }) => {
    await stores.pool("postgres").query("select backstop.make_dead_letters_month($1::date)", [new Date(atMs)]);
    const first = atMs - 90 * MINUTE;
    // One letter in each minute, which dies at its end.
    const { id } = await archiveLetter(own, { diedAt: new Date(first + 59_999).toISOString() });
    await own.query(
      `insert into backstop.dead_letters (queue, letter_id, died_at, kind, attempts, error, error_bytes, payload_bytes, payload_hash, group_id, state, state_at)
     select queue, letter_id || n, died_at + n * interval '1 minute', kind, attempts, error, error_bytes, payload_bytes, payload_hash, group_id, state, state_at
       from backstop.dead_letters, generate_series(1, 179) n where letter_id = $1`,
      [id],
    );
    const seen = [];
    for (const zone of ZONES) {
      const pool = poolIn(zone);
      await own.query("delete from backstop.samples; delete from backstop.samples_minute");
      await Promise.all(Array.from({ length: 180 }, (_, minute) => writeSample(pool, QUEUE, sampleOf(first, minute))));
      const bins = binsOf(atMs - HOUR, atMs + HOUR);
      seen.push({
        hours: await history(pool, atMs - HOUR, atMs + HOUR),
        day: await history(pool, atMs - 12 * HOUR, atMs + 12 * HOUR),
        histogram: await readHistogram(pool, {}, bins),
        groups: (await readGroups(pool, {}, { fromMs: atMs - HOUR, toMs: atMs + HOUR })).groups,
        offsets: await offsets(pool, atMs),
      });
    }
    const [utc, kathmandu, newYork] = seen;
    expect(kathmandu?.offsets).toEqual({ before: 20_700, after: 20_700 });
    expect(newYork?.offsets).toEqual(
      way === "forward" ? { before: -18_000, after: -14_400 } : { before: -14_400, after: -18_000 },
    );
    for (const other of [kathmandu, newYork]) expect({ ...other, offsets: null }).toEqual({ ...utc, offsets: null });

    const of = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
    expect(utc?.hours.counts).toEqual({ fromMs: atMs - HOUR, widthMs: MINUTE, count: 120 });
    expect(utc?.hours.queues[0]).toMatchObject({ waiting: of(30, 120), done: of(1_030, 120) });
    expect(utc?.hours.deaths[0]?.counts).toEqual(of(0, 120).map(() => 1));
    expect(utc?.histogram).toEqual(of(0, 120).map((index) => ({ index, states: { open: 1 } })));
    expect(utc?.day.counts).toMatchObject({ widthMs: 10 * MINUTE, count: 144 });
    expect(utc?.day.deaths[0]?.counts.filter((letters) => letters > 0)).toEqual(of(0, 18).map(() => 10));
    expect(utc?.groups[0]?.bins.reduce((sum, letters) => sum + letters, 0)).toBe(120);
  },
);

/** The only reading of a minute: its number waits, and a thousand more were done in it. */
const sampleOf = (first: number, minute: number) => ({
  depths: {
    ...{ atMs: first + minute * MINUTE + 30_000, due: minute, scheduled: 0, retrying: 0, leased: 0, expired: 0 },
    ...{
      processing: null,
      dead: 0,
      oldestDueMs: minute,
      ages: [minute, 0, 0, 0, 0] as [number, number, number, number, number],
    },
  },
  resolved: 0,
  minutes: [
    { minuteMs: first + minute * MINUTE, done: 1_000 + minute, failed: 0, died: 0, lostLeases: 0, staleSettles: 0 },
  ],
  counters: { durableOnly: null, enqueueErrors: null },
});

test("readings of 5 s over a change of the clocks yesterday, and the last minutes, are the same whatever the database's zone", async () => {
  const atMs = Math.floor((Date.now() - 26 * HOUR) / HOUR) * HOUR;
  await own.query(
    `insert into backstop.samples (queue, at, due, expired, oldest_due_ms)
     select '${QUEUE}', to_timestamp($1::float8 / 1000 + n * 5 + 1), n, 0, n from generate_series(-180, 179) n where n not between 10 and 12`,
    [atMs],
  );
  const game = stores.pool("engine");
  const { rows } = await game.query(
    `insert into persistence_retry_minute_counts (minute, job_kind, worker, done)
     select date_trunc('minute', now()) - m * interval '1 minute', 'a', 'w', 100 + m from generate_series(0, 60) m
     returning minute`,
  );
  const hourAgo = Math.min(...rows.map(({ minute }) => minute.getTime()));
  for (const way of ["forward", "back"] as const) {
    const zone = zoneChanging(atMs, way);
    expect(await offsets(poolIn(zone), atMs)).toEqual(
      way === "forward" ? { before: 0, after: 3_600 } : { before: 3_600, after: 0 },
    );
    const { levels, queues } = await history(poolIn(zone), atMs - 5 * MINUTE, atMs + 10 * MINUTE);
    expect(levels).toEqual({ fromMs: atMs - 5 * MINUTE, widthMs: 5_000, count: 180 });
    const waiting = Array.from({ length: 180 }, (_, bin) => (bin >= 70 && bin <= 72 ? null : bin - 60));
    expect(queues[0]?.waiting).toEqual(waiting);
    const queue = findQueue(QUEUE, { game: poolIn(zone, "backstop_read"), redis: null, rpc: null });
    const minutes = (await queue?.minutes?.readMinutes(hourAgo)) ?? [];
    expect(minutes.map(({ minuteMs }) => minuteMs)).toEqual(minutes.map((_, index) => hourAgo + index * MINUTE));
    expect(minutes.slice(0, 60).map(({ done }) => done)).toEqual(Array.from({ length: 60 }, (_, m) => 160 - m));
    const recent = await recentOf(poolIn(zone), [QUEUE]);
    expect(recent.kind === "read" && recent.value.queues[0]?.flow).toHaveLength(30);
  }
});
