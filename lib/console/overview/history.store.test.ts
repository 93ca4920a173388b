import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { historyOf } from "@/lib/console/overview/history";
import type { ChartRange } from "@/lib/domain/chart-range";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let own: ReturnType<TestStores["pool"]>;
beforeAll(async () => {
  stores = await openStores();
  own = stores.pool("backstop_own");
});
afterAll(() => stores.close());
beforeEach(async () => {
  await own.query(
    "delete from backstop.samples; delete from backstop.samples_minute; delete from backstop.dead_letters",
  );
});

const MINUTE = 60_000;
/** A whole hour of yesterday: inside the 48 h of the samples of 5 s. */
const HOUR = Math.floor((Date.now() - 26 * 3_600_000) / 3_600_000) * 3_600_000;
const between = (fromMs: number, toMs: number): ChartRange => ({ kind: "between", fromMs, toMs });

async function read(range: ChartRange) {
  const reading = await historyOf(own, ["persistence-retry", "session-lifecycle"], range);
  if (reading.kind !== "read") throw new Error(reading.sentence);
  const [retry, journal] = reading.value.queues;
  if (!retry || !journal) throw new Error("a queue is missing");
  return { ...reading.value, retry, journal };
}

/** A sample each 5 s from an instant on, `due` its number in the row. */
const samples = (fromMs: number, count: number, table = "samples") =>
  own.query(
    table === "samples"
      ? `insert into backstop.samples (queue, at, due, expired, oldest_due_ms, age_10s, age_1m, age_5m, age_30m, age_older)
         select 'persistence-retry', to_timestamp($1::float8 / 1000 + n * 5 + 1), n, 1, n * 1000, n, 1, 0, 0, 0 from generate_series(0, $2::int - 1) n`
      : `insert into backstop.samples_minute (queue, minute, read_at, due, oldest_due_ms, done, failed, died)
         select 'persistence-retry', to_timestamp($1::float8 / 1000 + n * 60), now(), n, n * 1000, n, 2, 1 from generate_series(0, $2::int - 1) n`,
    [fromMs, count],
  );

test("a bin has its last reading and its highest age; a bin that nobody read is a gap, not a zero", async () => {
  await samples(HOUR, 24);
  await samples(HOUR + 3 * MINUTE, 12);
  const { levels, retry, journal } = await read(between(HOUR, HOUR + 15 * MINUTE));
  expect(levels).toEqual({ fromMs: HOUR, widthMs: 5_000, count: 180 });
  expect(retry.waiting?.slice(0, 3)).toEqual([1, 2, 3]);
  expect(retry.oldest?.slice(0, 3)).toEqual([0, 1_000, 2_000]);
  expect(retry.ages?.map((age) => age[23])).toEqual([23, 1, 0, 0, 0]);
  expect(retry.waiting?.slice(24, 36)).toEqual(Array.from({ length: 12 }, () => null));
  expect(retry.waiting?.slice(36, 38)).toEqual([1, 2]);
  expect(journal).toMatchObject({ waiting: null, oldest: null, ages: null, done: null });
  // The same hour in wider bins: the last of each.
  const wide = await read(between(HOUR, HOUR + 60 * MINUTE));
  expect(wide.levels).toEqual({ fromMs: HOUR, widthMs: 20_000, count: 180 });
  expect(wide.retry.waiting?.slice(0, 3)).toEqual([4, 8, 12]);
  expect(wide.retry.oldest?.slice(0, 3)).toEqual([3_000, 7_000, 11_000]);
});

test("a range of minutes has no bin narrower than the keeper reads: what was read all along shows no gap", async () => {
  await samples(HOUR, 60);
  for (const minutes of [1, 2, 3, 5]) {
    const { levels, retry } = await read(between(HOUR, HOUR + minutes * MINUTE));
    expect(levels).toEqual({ fromMs: HOUR, widthMs: 5_000, count: minutes * 12 });
    expect(retry.waiting).toEqual(Array.from({ length: minutes * 12 }, (_, n) => n + 1));
  }
});

test("counts are the sums of the store's minutes, never cut finer; both kinds of bins begin and end together", async () => {
  await samples(HOUR, 60, "minutes");
  const short = await read(between(HOUR + 30_000, HOUR + 15 * MINUTE));
  expect(short.counts).toEqual({ fromMs: HOUR, widthMs: MINUTE, count: 15 });
  expect(short.levels.fromMs).toBe(short.counts.fromMs);
  expect(short.levels.widthMs * short.levels.count).toBe(15 * MINUTE);
  expect(short.retry.done).toEqual(Array.from({ length: 15 }, (_, minute) => minute));
  const day = await read(between(HOUR, HOUR + 24 * 60 * MINUTE));
  expect(day.counts.widthMs).toBe(10 * MINUTE);
  expect(day.retry.done?.slice(0, 7)).toEqual([45, 145, 245, 345, 445, 545, null]);
  expect(day.retry.failed?.[0]).toBe(20);
  expect(day.retry.waiting?.slice(0, 2)).toEqual([9, 19]);
});

test("what is older than the samples of 5 s is told by the minute, whatever the range", async () => {
  const old = HOUR - 10 * 24 * 3_600_000;
  await samples(old, 15, "minutes");
  const { levels, retry } = await read(between(old, old + 15 * MINUTE));
  expect(levels).toEqual({ fromMs: old, widthMs: MINUTE, count: 15 });
  expect(retry.waiting).toEqual(Array.from({ length: 15 }, (_, minute) => minute));
});

test("new dead letters are the archive's, by kind and minute, the most first, and each is counted once", async () => {
  await own.query(
    `with g as (insert into backstop.error_groups (queue, kind, version, fingerprint, title, first_seen_at, last_seen_at)
       select 'persistence-retry', kind, 1, sha256(kind::bytea), kind, now(), now() from unnest(array['combat_rewards', 'gameplay_state']) kind
       on conflict (queue, kind, version, fingerprint) do update set title = excluded.title returning group_id, kind)
     insert into backstop.dead_letters (queue, letter_id, died_at, kind, attempts, error, error_bytes, payload_bytes, payload_hash, group_id, state, state_at)
     select 'persistence-retry', kind || n, to_timestamp($1::float8 / 1000 + n * 20), kind, 8, 'x', 1, 1, '', group_id, 'open', now()
       from g, generate_series(0, 8) n where kind = 'combat_rewards' or n < 2`,
    [HOUR + MINUTE],
  );
  const { deaths, moreKinds } = await read(between(HOUR, HOUR + 15 * MINUTE));
  expect(deaths.map(({ kind, total, counts }) => [kind, total, counts.slice(0, 5)])).toEqual([
    ["combat_rewards", 9, [0, 3, 3, 3, 0]],
    ["gameplay_state", 2, [0, 2, 0, 0, 0]],
  ]);
  expect(moreKinds).toBe(0);
});

test("thirty days are at most 180 bars and 50 KB", async () => {
  await own.query(
    `insert into backstop.samples_minute (queue, minute, read_at, due, expired, oldest_due_ms, age_10s, age_1m, age_5m, age_30m, age_older, done, failed, died)
     select q, date_trunc('minute', statement_timestamp()) - n * interval '1 minute', now(), 12345, 123, 1234567.0, 2345, 2345, 2345, 2345, 2345, 123456, 12345, 123
       from unnest(array['persistence-retry', 'session-lifecycle']) q, generate_series(0, 43199) n`,
  );
  await own.query("analyze backstop.samples_minute").catch(() => {});
  const begun = performance.now();
  const history = await read({ kind: "last", span: "30d" });
  const tookMs = performance.now() - begun;
  expect(history.levels.count).toBeLessThanOrEqual(180);
  expect(history.levels.count).toBeGreaterThanOrEqual(60);
  expect(JSON.stringify(history).length / 1_024).toBeLessThan(50);
  console.log(`30 days: ${(JSON.stringify(history).length / 1_024).toFixed(1)} KB in ${tookMs.toFixed(0)} ms`);
});
