import { z } from "zod";
import { ms, type Sql } from "@/lib/db/pg";
import { NO_OWNER } from "./jobs-sql";

/** Minutes that are counted: the last hour and what has begun of this minute. */
export const MINUTES = 60;
/** Minutes of late that are told one by one. */
export const SHOWN_MINUTES = 15;
/** Workers that are told apart; of more it is said that there are more. */
export const WORKERS_MAX = 50;
/** A name longer than any filter takes is cut where it can still be told that it was. */
export const NAME_MAX = 201;

/**
 * $1 workers at most. Leases by their owner, the most first. Where a partial index on the leases' ends is kept, only
 * leased rows are read, however many wait.
 */
export const READ_LEASES: Sql = {
  name: "persistence_retry_leases_by_owner",
  text: `select left(coalesce(j.lease_owner, '${NO_OWNER}'), ${NAME_MAX}) as worker,
      count(*) filter (where j.lease_expires_at > statement_timestamp())::int as live,
      count(*) filter (where j.lease_expires_at <= statement_timestamp())::int as expired,
      ${ms("min(j.lease_expires_at)")} as first_end_ms, ${ms("statement_timestamp()")} as at_ms
    from persistence_retry_jobs j where j.lease_expires_at is not null
    group by 1 order by count(*) desc, 1 limit $1`,
};

export const LeasesRow = z.object({
  worker: z.string(),
  live: z.number(),
  expired: z.number(),
  first_end_ms: z.number().nullable(),
  at_ms: z.number(),
});

/**
 * $1 workers at most. What each worker counted in the last hour, served by the primary key, which begins with the
 * minute; and per minute of late, oldest first.
 */
export const READ_COUNTS: Sql = {
  name: "persistence_retry_counts_by_worker",
  text: `with now as (select date_trunc('minute', statement_timestamp()) as minute),
    counted as (
      select left(c.worker, ${NAME_MAX}) as worker, c.minute, sum(c.done) as done, sum(c.failed) as failed,
          sum(c.lost_leases) as lost_leases, sum(c.stale_settles) as stale_settles
        from persistence_retry_minute_counts c
       where c.minute > date_trunc('minute', statement_timestamp()) - ${MINUTES} * interval '1 minute'
         and c.minute <= statement_timestamp()
       group by 1, 2),
    hour as (
      select worker, sum(done)::float8 as done, sum(failed)::float8 as failed, sum(lost_leases)::float8 as lost_leases,
          sum(stale_settles)::float8 as stale_settles,
          ${ms("max(minute) filter (where done + failed > 0)")} as settled_ms,
          ${ms("max(minute) filter (where lost_leases > 0)")} as lost_ms
        from counted group by worker
       order by sum(lost_leases) desc, sum(done + failed) desc, worker limit $1)
    select hour.*, ${ms("statement_timestamp()")} as at_ms,
        array_agg(coalesce(counted.done, 0)::float8 order by n desc) as done_minutes,
        array_agg(coalesce(counted.failed, 0)::float8 order by n desc) as failed_minutes
      from hour cross join now cross join generate_series(0, ${SHOWN_MINUTES - 1}) as n
      left join counted on counted.worker = hour.worker and counted.minute = now.minute - n * interval '1 minute'
     group by hour.worker, hour.done, hour.failed, hour.lost_leases, hour.stale_settles, hour.settled_ms, hour.lost_ms
     order by hour.lost_leases desc, hour.done + hour.failed desc, hour.worker`,
};

export const CountsRow = z
  .object({
    worker: z.string(),
    done: z.number(),
    failed: z.number(),
    lost_leases: z.number(),
    stale_settles: z.number(),
    settled_ms: z.number().nullable(),
    lost_ms: z.number().nullable(),
    done_minutes: z.array(z.number()),
    failed_minutes: z.array(z.number()),
    at_ms: z.number(),
  })
  .transform((row) => ({
    worker: row.worker,
    atMs: row.at_ms,
    counts: {
      done: row.done,
      failed: row.failed,
      lostLeases: row.lost_leases,
      staleSettles: row.stale_settles,
      settledMs: row.settled_ms,
      lostMs: row.lost_ms,
      minutes: { done: row.done_minutes, failed: row.failed_minutes },
    },
  }));
