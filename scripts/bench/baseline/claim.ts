import { randomUUID } from "node:crypto";
import type pg from "pg";

/** A claim and nothing beyond it: due, free, in order, 128, stamped. Leases that ran out are another statement's. */
export const bareClaim = (db: pg.ClientBase) =>
  db.query({
    name: "bare_claim",
    text: `with due as (select retry_job_id from persistence_retry_jobs
             where next_attempt_at <= statement_timestamp()
               and lease_expires_at is null
             order by next_attempt_at, created_at limit 128 for update skip locked)
           update persistence_retry_jobs j set lease_token = $1, lease_owner = 'bare',
                  lease_expires_at = clock_timestamp() + interval '30 s'
             from due where j.retry_job_id = due.retry_job_id returning j.retry_job_id, j.job_kind`,
    values: [randomUUID()],
  });
