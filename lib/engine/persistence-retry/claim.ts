import { randomUUID } from "node:crypto";
import { z } from "zod";
import { execute, many, type Queryable, type Sql } from "@/lib/db/pg";

/** Rows that one worker holds, in the order they are to be applied. One token for all of them. */
export type Claim = { token: string; worker: string; jobs: ClaimedJob[] };
export type ClaimedJob = { retryJobId: string; jobKind: string /** Whose lease had run out. */; lostBy: string | null };

const FREE = `next_attempt_at <= statement_timestamp()
          and (lease_expires_at is null or lease_expires_at <= statement_timestamp())`;

// `due` locks, `claimed` stamps, `counted` tells how many leases of others had run out; all of it one statement.
const claim = (where: string) => `
    with due as (
      select retry_job_id, job_kind, next_attempt_at, created_at, lease_owner as lost_by
        from persistence_retry_jobs
       where ${where} and ${FREE}
       order by next_attempt_at, created_at
       limit $1
         for update skip locked
    ), claimed as (
      update persistence_retry_jobs j
         set lease_token = $2, lease_owner = $3,
             lease_expires_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
        from due where j.retry_job_id = due.retry_job_id
      returning j.retry_job_id
    ), counted as (
      insert into persistence_retry_minute_counts (minute, job_kind, worker, lost_leases)
      select date_trunc('minute', clock_timestamp()), job_kind, $3, count(*)
        from due where lost_by is not null group by job_kind
      on conflict (minute, job_kind, worker) do update
        set lost_leases = persistence_retry_minute_counts.lost_leases + excluded.lost_leases
    )
    select due.retry_job_id, due.job_kind, due.lost_by
      from due join claimed using (retry_job_id)
     order by due.next_attempt_at, due.created_at`;

// $1 rows at most · $2 token · $3 worker · $4 lease, ms
const CLAIM_DUE: Sql = { name: "claim_due", text: claim("true") };

// $5 job ids
const CLAIM_SIGNALED: Sql = { name: "claim_signaled", text: claim("retry_job_id = any($5::uuid[])") };

// $1 token · $2 job ids. Due at once, no attempt counted. A row that somebody else holds by now is not touched, and one
// that somebody has locked is left to its lease: giving back must never wait.
const RELEASE: Sql = {
  name: "release_claim",
  text: `update persistence_retry_jobs set lease_token = null, lease_owner = null, lease_expires_at = null
          where retry_job_id in (
            select retry_job_id from persistence_retry_jobs
             where retry_job_id = any($2::uuid[]) and lease_token = $1 for update skip locked)`,
};

const Row = z
  .object({ retry_job_id: z.string(), job_kind: z.string(), lost_by: z.string().nullable() })
  .transform((row): ClaimedJob => ({ retryJobId: row.retry_job_id, jobKind: row.job_kind, lostBy: row.lost_by }));

export type ClaimAsk = { worker: string; leaseMs: number; rowsMax: number };

/** Takes due rows that nobody holds, the longest due first, passing by what others are just taking. */
export async function claimDue(db: Queryable, { worker, leaseMs, rowsMax }: ClaimAsk): Promise<Claim> {
  const token = randomUUID();
  return { token, worker, jobs: await many(db, CLAIM_DUE, Row, [rowsMax, token, worker, leaseMs]) };
}

/** Takes those of the signaled jobs that are still there, due, and held by nobody. */
export async function claimSignaled(db: Queryable, ids: string[], ask: ClaimAsk): Promise<Claim> {
  const token = randomUUID();
  const values = [ask.rowsMax, token, ask.worker, ask.leaseMs, ids];
  return { token, worker: ask.worker, jobs: await many(db, CLAIM_SIGNALED, Row, values) };
}

/** Gives unstarted rows back; answers how many were still ours. */
export function releaseClaim(db: Queryable, claim: Pick<Claim, "token">, jobs: readonly ClaimedJob[]): Promise<number> {
  return execute(db, RELEASE, [claim.token, jobs.map((job) => job.retryJobId)]);
}
