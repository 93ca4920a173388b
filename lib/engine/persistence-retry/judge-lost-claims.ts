import { z } from "zod";
import { many, type Queryable, type Sql } from "@/lib/db/pg";
import { CLAIM_ORDER } from "./claim";

/** Leases that a row may lose without a recorded failure. With the last of them it is dead-lettered unrun. */
export const LOST_LEASES_MAX = 3;
export const POISON_ERROR = `poison: ${LOST_LEASES_MAX} leases lost without a recorded failure`;

/**
 * Leases judged by one statement; what is more waits for the next. Two full claims: it stays ahead of the claims that
 * follow each judgement, and stays short (with 1,000 it took 0.4 s on a busy machine).
 */
const ROWS_MAX = 256;

/** A row whose lease ran out. `lostLeases`: how many it has lost so; 0: it was not the one in hand. */
export type LostLease = {
  retryJobId: string;
  jobKind: string;
  lostBy: string;
  lostLeases: number;
  /** The letter that it died into as poison. */
  deadLetterId: string | null;
};

// $1 rows. Rows of a claim are applied in claim order, so of those that a lost claim has left only the first can have
// been in hand. `told` judges over all of a claim's rows as this statement sees them; `held` takes those that nobody
// else is just judging, and looks again whether their lease has run out.
const JUDGE: Sql = {
  name: "judge_lost_claims",
  text: `
    with lost as materialized (
      select distinct lease_expires_at, lease_token
        from (select lease_expires_at, lease_token from persistence_retry_jobs
               where lease_expires_at <= statement_timestamp() order by lease_expires_at limit $1) as oldest
    ), told as materialized (
      select j.retry_job_id, coalesce(j.lease_owner, 'unknown') as lost_by,
             row_number() over (partition by coalesce(j.lease_token, j.retry_job_id) order by ${CLAIM_ORDER}) = 1 as first
        from persistence_retry_jobs j
        join lost l on l.lease_expires_at = j.lease_expires_at and l.lease_token is not distinct from j.lease_token
    ), held as materialized (
      select j.retry_job_id, j.job_kind, t.lost_by,
             case when t.first then coalesce(j.lost_leases, 0) + 1 else 0 end as lost_leases,
             t.first and coalesce(j.lost_leases, 0) + 1 >= ${LOST_LEASES_MAX} as poison,
             gen_random_uuid() as dead_letter_id
        from told t join persistence_retry_jobs j using (retry_job_id)
       where j.lease_expires_at <= statement_timestamp()
         for update of j skip locked
    ), freed as (
      update persistence_retry_jobs j
         set lease_token = null, lease_owner = null, lease_expires_at = null, lost_leases = held.lost_leases
        from held where j.retry_job_id = held.retry_job_id and not held.poison
    ), buried as (
      delete from persistence_retry_jobs j using held where j.retry_job_id = held.retry_job_id and held.poison
      returning j.*, held.dead_letter_id
    ), letters as (
      insert into persistence_job_dead_letters
        (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, zone_id, payload, failed_attempts, error,
         dead_lettered_at, source, session_impact, session_token_hash, requeued_from, operation_id)
      select dead_letter_id, retry_job_id, job_kind, character_id, realm_id, zone_id, payload, attempt_count,
             '${POISON_ERROR}', clock_timestamp(), source, session_impact, session_token_hash, requeued_from, operation_id
        from buried
    ), outcomes as (
      insert into persistence_retry_outcomes
        (retry_job_id, dead_letter_id, operation_id, outcome, next_dead_letter_id, settled_at)
      select retry_job_id, requeued_from, operation_id, 'died_again', dead_letter_id, clock_timestamp()
        from buried where requeued_from is not null
    ), counts as (
      insert into persistence_retry_minute_counts (minute, job_kind, worker, lost_leases, dead)
      select date_trunc('minute', clock_timestamp()), job_kind, lost_by, count(*), count(*) filter (where poison)
        from held group by job_kind, lost_by
      on conflict (minute, job_kind, worker) do update
        set lost_leases = persistence_retry_minute_counts.lost_leases + excluded.lost_leases,
            dead = persistence_retry_minute_counts.dead + excluded.dead
    )
    select retry_job_id, job_kind, lost_by, lost_leases, case when poison then dead_letter_id end as dead_letter_id
      from held`,
};

const Row = z
  .object({
    retry_job_id: z.string(),
    job_kind: z.string(),
    lost_by: z.string(),
    lost_leases: z.number(),
    dead_letter_id: z.string().nullable(),
  })
  .transform(
    (row): LostLease => ({
      retryJobId: row.retry_job_id,
      jobKind: row.job_kind,
      lostBy: row.lost_by,
      lostLeases: row.lost_leases,
      deadLetterId: row.dead_letter_id,
    }),
  );

/**
 * Makes rows whose lease ran out free again, some claims at a time. The row that a claim's worker had in hand becomes a
 * suspect: it is claimed alone from then on, until it settles or is given back; with its third lost lease it becomes a
 * dead letter without another try. The others of its claim are simply free.
 */
export function judgeLostClaims(db: Queryable): Promise<LostLease[]> {
  return many(db, JUDGE, Row, [ROWS_MAX]);
}
