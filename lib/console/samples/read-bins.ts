import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import type { HistoryBins } from "@/lib/domain/history";

/** Samples of 5 s are kept so long; what is older is told by the minute. */
const FINE_MS = 48 * 3_600_000;
const MINUTE = 60_000;

/** Whether bins of this width, from this instant on, are drawn from the samples of 5 s. */
export const isFine = (widthMs: number, fromMs: number, nowMs: number): boolean =>
  widthMs < MINUTE && nowMs - fromMs < FINE_MS;

const span = (time: string) => `${time} >= to_timestamp($2::float8 / 1000)
    and ${time} < to_timestamp(($2::float8 + $3::float8 * $4::int) / 1000)`;
const binOf = (time: string) => `floor((date_part('epoch', ${time}) * 1000 - $2::float8) / $3::float8)::int`;

/**
 * $1 queues · $2 start (ms) · $3 width (ms) · $4 bins. The last reading of each bin and its highest age; a bin without
 * a reading has no row. The key of each table finds them: a bin costs one row and what is walked between.
 */
const levelsSql = (fine: boolean): Sql => {
  const [table, time, read] = fine ? ["samples", "at", ""] : ["samples_minute", "minute", "and read_at is not null"];
  return {
    name: `history_levels_${table}`,
    text: `select b.queue, b.bin, b.oldest::float8 as oldest, s.due + coalesce(s.expired, 0) as waiting,
        case when s.age_10s is not null
          then array[s.age_10s, s.age_1m, s.age_5m, s.age_30m, s.age_older] end as ages
      from (select queue, ${binOf(time)} as bin, max(${time}) as last, max(oldest_due_ms) as oldest
          from backstop.${table} where queue = any($1) and ${span(time)} ${read} group by 1, 2) as b
      join backstop.${table} s on s.queue = b.queue and s.${time} = b.last
      order by b.queue, b.bin`,
  };
};

const orNull = z.number().nullable();
const LevelRow = z.object({
  queue: z.string(),
  bin: z.number(),
  oldest: orNull,
  waiting: orNull,
  ages: z.array(z.number()).length(5).nullable(),
});
export type LevelRow = z.infer<typeof LevelRow>;

/** $1 queues · $2 start (ms) · $3 width (ms) · $4 bins. What was counted in each bin; null: not told in any minute. */
const COUNTS: Sql = {
  name: "history_counts",
  text: `select queue, ${binOf("minute")} as bin, sum(done)::float8 as done, sum(failed)::float8 as failed,
      sum(died)::float8 as died
    from backstop.samples_minute where queue = any($1) and ${span("minute")} group by 1, 2`,
};
const CountRow = z.object({ queue: z.string(), bin: z.number(), done: orNull, failed: orNull, died: orNull });
export type CountRow = z.infer<typeof CountRow>;

const params = (queues: readonly string[], { fromMs, widthMs, count }: HistoryBins) => [queues, fromMs, widthMs, count];

export function readLevels(own: Pool, queues: readonly string[], bins: HistoryBins, fine: boolean) {
  return many(own, levelsSql(fine), LevelRow, params(queues, bins));
}

export function readCounts(own: Pool, queues: readonly string[], bins: HistoryBins) {
  return many(own, COUNTS, CountRow, params(queues, bins));
}
