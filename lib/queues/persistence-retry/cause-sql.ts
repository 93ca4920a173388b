import { z } from "zod";
import { ms, type Sql } from "@/lib/db/pg";
import type { Features } from "./features";

/** How far back 'did the fix work' looks, in minutes. */
export const WINDOW_MINUTES = 5;
/** Failures that are looked at, the newest; and different error texts among them. */
const FAILURES_MAX = 2_000;
const TEXTS_MAX = 200;
/** As much of an error as its fingerprint is made of. */
const ERROR_CHARS = 1_024;

const WITHIN = `statement_timestamp() - make_interval(mins => ${WINDOW_MINUTES})`;

/**
 * $1 kinds. The failures of the window by kind and error text: tries, and deaths of which no try is kept. Null: the job
 * is gone, and with it what kind it was of. A try counts for its end. Each side is one range of an index on its time.
 */
export function failuresSql({ attempts, jobs }: Features): Sql {
  const tries = `
    select a.retry_job_id, coalesce(${jobs ? "j.job_kind, " : ""}d.job_kind) as kind, left(a.error, ${ERROR_CHARS}) as error,
        a.started_at + make_interval(secs => a.duration_ms / 1000.0) as failed_at
      from persistence_retry_attempts a
      ${jobs ? "left join persistence_retry_jobs j on j.retry_job_id = a.retry_job_id" : ""}
      left join lateral (select l.job_kind from persistence_job_dead_letters l
        where l.retry_job_id = a.retry_job_id limit 1) d on true
     where a.started_at > ${WITHIN} and a.error is not null
     order by a.started_at desc limit ${FAILURES_MAX}`;
  const deaths = `
    select l.retry_job_id, l.job_kind as kind, left(l.error, ${ERROR_CHARS}) as error, l.dead_lettered_at as failed_at
      from persistence_job_dead_letters l
     where l.dead_lettered_at > ${WITHIN} and l.job_kind = any($1::text[])
       ${
         attempts
           ? `and not exists (select from persistence_retry_attempts a
                where a.retry_job_id = l.retry_job_id and a.attempt = l.failed_attempts)`
           : ""
       }
     order by l.dead_lettered_at desc limit ${FAILURES_MAX}`;
  return {
    name: `persistence_recent_failures_${attempts}_${jobs}`,
    text: `select kind, error, count(*)::int as failures,
        count(distinct retry_job_id)::int as writes, ${ms("min(failed_at)")} as first_ms, ${ms("max(failed_at)")} as last_ms
      from (${attempts ? `(${tries}) union all ` : ""}(${deaths})) as failed
      where kind is null or kind = any($1::text[]) group by kind, error order by max(failed_at) desc limit ${TEXTS_MAX}`,
  };
}
export const FailureRow = z.object({
  kind: z.string().nullable(),
  error: z.string(),
  failures: z.number(),
  writes: z.number(),
  first_ms: z.number(),
  last_ms: z.number(),
});
export type FailureRow = z.output<typeof FailureRow>;

/**
 * Writes that failed with an error and then went through, by that error: what shows that its cause is gone. Retried
 * jobs by their tries, requeued letters by their outcomes. Needs both.
 */
export const HEALED: Sql = {
  name: "persistence_recently_healed",
  text: `select error, ${ms("max(at)")} as last_ms from (
      select left(f.error, ${ERROR_CHARS}) as error, s.started_at as at
        from (select retry_job_id, attempt, started_at from persistence_retry_attempts
               where started_at > ${WITHIN} and error is null order by started_at desc limit ${FAILURES_MAX}) as s
        join persistence_retry_attempts f on f.retry_job_id = s.retry_job_id and f.attempt = s.attempt - 1
       where f.error is not null
      union all
      select left(l.error, ${ERROR_CHARS}), o.settled_at
        from (select dead_letter_id, settled_at from persistence_retry_outcomes
               where settled_at > ${WITHIN} and outcome = 'recovered' order by settled_at desc limit ${FAILURES_MAX}) as o
        join persistence_job_dead_letters l on l.dead_letter_id = o.dead_letter_id
    ) as healed group by error order by max(at) desc limit ${TEXTS_MAX}`,
};
export const HealedRow = z.object({ error: z.string(), last_ms: z.number() });

/** $1 kinds. By minute, since a minute is what the counts tell apart. */
export const COUNTS: Sql = {
  name: "persistence_recent_counts",
  text: `select job_kind as kind, ${ms("minute")} as minute_ms, sum(done)::int as done, sum(failed)::int as failed
    from persistence_retry_minute_counts where job_kind = any($1::text[]) and minute > ${WITHIN}
    group by job_kind, minute`,
};
export const CountRow = z.object({ kind: z.string(), minute_ms: z.number(), done: z.number(), failed: z.number() });
export type CountRow = z.output<typeof CountRow>;

/** $1 letter ids. */
export const OWN_ERRORS: Sql = {
  name: "persistence_letter_errors",
  text: `select dead_letter_id::text as id, job_kind as kind, left(error, ${ERROR_CHARS}) as error
    from persistence_job_dead_letters where dead_letter_id = any($1::uuid[])`,
};
export const OwnErrorRow = z.object({ id: z.string(), kind: z.string(), error: z.string() });
