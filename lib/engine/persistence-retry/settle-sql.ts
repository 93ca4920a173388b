import type { Sql } from "@/lib/db/pg";
import { characterLocationRetryBackoff } from "@/lib/engine/durable/backoff";

/** Tries that are kept of one job. A limit above it is possible; the first ones tell the story. */
const ATTEMPTS_KEPT = 100;
/** Characters of an error that an attempt keeps; the letter has it whole. */
const ATTEMPT_ERROR_MAX = 2_048;

/** The claim, as every statement here asks for it: this row, with our token, on a lease that is still live. */
const HELD = "retry_job_id = $1 and lease_token = $2 and lease_expires_at > statement_timestamp()";

const duration = (since: string) =>
  `greatest(0, least(2147483647, extract(epoch from clock_timestamp() - ${since}::timestamptz) * 1000))::int`;

const attempt = (from: string, attempts: string, since: string, error: string) => `
  insert into persistence_retry_attempts (retry_job_id, attempt, started_at, duration_ms, worker, error)
  select retry_job_id, ${attempts}, ${since}::timestamptz, ${duration(since)}, $3, left(${error}, ${ATTEMPT_ERROR_MAX})
    from ${from} where ${attempts} <= ${ATTEMPTS_KEPT}
  on conflict do nothing`;

const counted = (from: string, ...columns: ("done" | "failed" | "dead")[]) => `
  insert into persistence_retry_minute_counts (minute, job_kind, worker, ${columns.join(", ")})
  select date_trunc('minute', clock_timestamp()), job_kind, $3, ${columns.map(() => "1").join(", ")} from ${from}
  on conflict (minute, job_kind, worker) do update
    set ${columns.map((column) => `${column} = persistence_retry_minute_counts.${column} + 1`).join(", ")}`;

// $1 job · $2 token · $3 ms that must be left of the lease. From here on the row is locked: nobody can claim it. Somebody
// who has it locked himself is not waited for: the rest of the claim would lose its lease over it.
export const LOCK: Sql = {
  name: "settle_lock",
  text: `select payload, clock_timestamp()::text as started_at,
                attempt_count > 0 or requeued_from is not null as has_history,
                lease_expires_at > clock_timestamp() + make_interval(secs => $3::float8 / 1000) as covers
           from persistence_retry_jobs where ${HELD} for update nowait`,
};

// $1 job · $2 token · $3 worker. For a row that never failed and was never requeued: there is nobody to tell of it but
// the counts, and each further part of a statement costs time, whether or not it has rows.
export const DONE: Sql = {
  name: "settle_done",
  text: `
    with settled as (
      delete from persistence_retry_jobs where ${HELD} returning job_kind
    ), counts as (${counted("settled", "done")})
    select null as requeued_from from settled`,
};

// As DONE, and $4 started at · $5 outcome
export const DONE_WITH_HISTORY: Sql = {
  name: "settle_done_with_history",
  text: `
    with settled as (
      delete from persistence_retry_jobs where ${HELD}
      returning retry_job_id, job_kind, attempt_count, requeued_from, operation_id
    ), outcome as (
      insert into persistence_retry_outcomes (retry_job_id, dead_letter_id, operation_id, outcome, settled_at)
      select retry_job_id, requeued_from, operation_id, $5, clock_timestamp() from settled where requeued_from is not null
    ), attempt as (${attempt("settled", "attempt_count + 1", "$4", "null")}),
    counts as (${counted("settled", "done")})
    select requeued_from from settled`,
};

// $1 job · $2 token · $3 worker · $4 started at · $5 error · $6 limit · $7 backoff, ms · $8 its cap, ms
export const FAILED: Sql = {
  name: "settle_failed",
  text: `
    with settled as (
      update persistence_retry_jobs
         set last_error = $5, attempt_count = attempt_count + 1, updated_at = clock_timestamp(),
             next_attempt_at = clock_timestamp() + make_interval(
               secs => ${characterLocationRetryBackoff("attempt_count", "$7", "$8")} / 1000),
             lease_token = null, lease_owner = null, lease_expires_at = null, lost_leases = 0
       where ${HELD} and attempt_count + 1 < $6
      returning retry_job_id, job_kind, attempt_count
    ), attempt as (${attempt("settled", "attempt_count", "$4", "$5")}),
    counts as (${counted("settled", "failed")})
    select attempt_count from settled`,
};

// $1 job · $2 token · $3 worker · $4 started at · $5 error · $6 limit · $7 new dead letter
export const DEAD: Sql = {
  name: "settle_dead",
  text: `
    with settled as (
      delete from persistence_retry_jobs where ${HELD} and attempt_count + 1 >= $6
      returning retry_job_id, job_kind, character_id, realm_id, zone_id, payload, attempt_count, source, session_impact,
                session_token_hash, requeued_from, operation_id
    ), letter as (
      insert into persistence_job_dead_letters
        (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, zone_id, payload, failed_attempts, error,
         dead_lettered_at, source, session_impact, session_token_hash, requeued_from, operation_id)
      select $7, retry_job_id, job_kind, character_id, realm_id, zone_id, payload, attempt_count + 1, $5,
             clock_timestamp(), source, session_impact, session_token_hash, requeued_from, operation_id
        from settled
    ), outcome as (
      insert into persistence_retry_outcomes
        (retry_job_id, dead_letter_id, operation_id, outcome, next_dead_letter_id, settled_at)
      select retry_job_id, requeued_from, operation_id, 'died_again', $7, clock_timestamp()
        from settled where requeued_from is not null
    ), attempt as (${attempt("settled", "attempt_count + 1", "$4", "$5")}),
    counts as (${counted("settled", "failed", "dead")})
    select attempt_count + 1 as attempt_count from settled`,
};

// $1 kind · $2 worker
export const STALE: Sql = {
  name: "settle_count_stale",
  text: `
    insert into persistence_retry_minute_counts (minute, job_kind, worker, stale_settles)
    values (date_trunc('minute', clock_timestamp()), $1, $2, 1)
    on conflict (minute, job_kind, worker) do update
      set stale_settles = persistence_retry_minute_counts.stale_settles + 1`,
};
