import { z } from "zod";
import { ms, type Sql } from "@/lib/db/pg";

/**
 * $1 names of queues · $2 minutes. What the samples prove of each queue's dead letters: the newest sample, the last
 * without any and the first with some after it, and the last that had another count than the one before (where letters
 * left, others may have come); without such a one the
 * first of those minutes, since none was added from there on.
 */
export const READ_DEAD_HISTORY: Sql = {
  name: "samples_dead_history",
  text: `select q.name as queue, ${ms("newest.at")} as sampled_ms, ${ms("zero.at")} as zero_ms,
      ${ms("began.at")} as began_ms, ${ms("recent.grew_at")} as grew_ms
    from unnest($1::text[]) as q(name)
    left join lateral (select s.at from backstop.samples s where s.queue = q.name order by s.at desc limit 1) newest on true
    left join lateral (select s.at from backstop.samples s where s.queue = q.name and s.dead = 0
      order by s.at desc limit 1) zero on true
    left join lateral (select s.at from backstop.samples s where s.queue = q.name and s.dead > 0 and s.at > zero.at
      order by s.at limit 1) began on true
    left join lateral (select coalesce(max(w.at) filter (where w.dead <> w.before), min(w.at)) as grew_at
      from (select s.at, s.dead, lag(s.dead) over (order by s.at) as before from backstop.samples s
        where s.queue = q.name and s.dead is not null and s.at > newest.at - $2::int * interval '1 minute') w) recent on true`,
};

/** More silence than this between two samples proves nothing about the time between them. */
const GAP_MS = 60_000;

const orNull = z.number().nullable();

/** `ms()` clamps null to nothing, so a row without samples has nulls throughout. */
export const DeadHistoryRow = z
  .object({ queue: z.string(), sampled_ms: orNull, zero_ms: orNull, began_ms: orNull, grew_ms: orNull })
  .transform(({ queue, sampled_ms, zero_ms, began_ms, grew_ms }) => ({
    queue,
    sampledMs: sampled_ms,
    sinceMs: began_ms !== null && zero_ms !== null && began_ms - zero_ms <= GAP_MS ? began_ms : null,
    quietMs: sampled_ms !== null && grew_ms !== null ? sampled_ms - grew_ms : null,
  }));

export const NOW: Sql = { name: "recent_now", text: `select ${ms("statement_timestamp()")} as at_ms` };
export const NowRow = z.object({ at_ms: z.number() });

/** Readings of late that a forecast is made of. */
export const LEVEL_MINUTES = 5;
/** Whole minutes of in and out. */
export const FLOW_MINUTES = 30;
/** What is watched for signals. */
export const WATCHED_MINUTES = 15;

// All rows that are not dead; a count that stopped at its cap tells no total.
const ROWS = `case when capped = '{}' or capped = '{dead}' then due + coalesce(scheduled, 0) + coalesce(retrying, 0)
  + coalesce(leased, 0) + coalesce(expired, 0) + coalesce(processing, 0) end`;

/** $1 queues · $2 minutes. The readings of the last minutes, oldest first. */
export const LEVELS: Sql = {
  name: "recent_levels",
  text: `select queue, ${ms("at")} as at_ms, ${ROWS} as rows from backstop.samples
    where queue = any($1) and at > statement_timestamp() - $2::int * interval '1 minute' order by queue, at`,
};
export const LevelRow = z.object({ queue: z.string(), at_ms: z.number(), rows: orNull });

/** $1 queues · $2 minutes. Each of the last minutes, oldest first; the one that has begun is the last. A minute that nobody read has nulls. */
export const FLOW: Sql = {
  name: "recent_flow",
  text: `select q.name as queue, ${ROWS} as rows, done, died, lost_leases, durable_only, enqueue_errors
    from unnest($1::text[]) as q(name)
    cross join generate_series(date_trunc('minute', statement_timestamp()) - $2::int * interval '1 minute',
      statement_timestamp(), interval '1 minute') as m(minute)
    left join backstop.samples_minute s on s.queue = q.name and s.minute = m.minute
    order by q.name, m.minute`,
};
export const FlowRow = z.object({
  queue: z.string(),
  rows: orNull,
  done: orNull,
  died: orNull,
  lost_leases: orNull,
  durable_only: z.record(z.string(), z.number()).nullable(),
  enqueue_errors: orNull,
});
export type FlowRow = z.infer<typeof FlowRow>;
