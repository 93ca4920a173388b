import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import type { MinuteCounts } from "@/lib/domain/minute-counts";
import type { MinuteReader } from "@/lib/queues/queue";
import { type Features, readFeatures } from "./features";

/**
 * $1 since (ms). Served by the primary key, which begins with the minute: as a rule three minutes' rows are read, however
 * many are kept. A minute in which nothing was counted is a zero.
 */
const minutesSql = ({ workerCounts }: Features): Sql => ({
  name: `persistence_retry_minutes_${workerCounts}`,
  text: `select ${ms("m.minute")} as minute_ms, c.*
    from generate_series(
      greatest(date_trunc('minute', statement_timestamp()) - interval '24 hours',
        least(date_trunc('minute', to_timestamp($1::float8 / 1000)),
          date_trunc('minute', statement_timestamp()) - interval '2 minutes')),
      statement_timestamp(), interval '1 minute') as m(minute)
    cross join lateral (
      select coalesce(sum(done), 0)::float8 as done, coalesce(sum(failed), 0)::float8 as failed,
          coalesce(sum(dead), 0)::float8 as died,
          ${workerCounts ? "coalesce(sum(lost_leases), 0)::float8" : "null::float8"} as lost_leases,
          ${workerCounts ? "coalesce(sum(stale_settles), 0)::float8" : "null::float8"} as stale_settles
        from persistence_retry_minute_counts where minute = m.minute) as c
    order by m.minute`,
});

const MinuteRow = z
  .object({
    minute_ms: z.number(),
    done: z.number(),
    failed: z.number(),
    died: z.number(),
    lost_leases: z.number().nullable(),
    stale_settles: z.number().nullable(),
  })
  .transform(
    ({ minute_ms, lost_leases, stale_settles, done, failed, died }): MinuteCounts => ({
      minuteMs: minute_ms,
      done,
      failed,
      died,
      lostLeases: lost_leases,
      staleSettles: stale_settles,
    }),
  );

/** The minute counts that the engine keeps beside the jobs. */
export const minuteReader = (pool: Pool): MinuteReader => ({
  async readMinutes(sinceMs) {
    const features = await readFeatures(pool);
    return features.counts ? many(pool, minutesSql(features), MinuteRow, [sinceMs]) : null;
  },
});
