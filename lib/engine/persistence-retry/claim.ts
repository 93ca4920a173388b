import { randomUUID } from "node:crypto";
import { z } from "zod";
import { execute, many, type Queryable, type Sql } from "@/lib/db/pg";

/** Rows that one worker holds, in the order they are to be applied. One token for all of them. */
export type Claim = { token: string; worker: string; jobs: ClaimedJob[] };
export type ClaimedJob = { retryJobId: string; jobKind: string };

/** The order in which rows are claimed and, within a claim, applied. */
export const CLAIM_ORDER = "next_attempt_at, created_at, retry_job_id";

// A lease that has run out is no obstacle, but its row is judged first (`judge-lost-claims.ts`), and then holds none.
const FREE = "next_attempt_at <= statement_timestamp() and lease_expires_at is null";
const SUSPECT = "lost_leases > 0";

// `due` locks, `claimed` stamps: one statement. One expiry for the whole claim: by it its rows are found together.
const claim = (where: string) => `
    with due as (
      select retry_job_id, job_kind, next_attempt_at, created_at
        from persistence_retry_jobs
       where ${FREE} and ${where}
       order by ${CLAIM_ORDER}
       limit $1
         for update skip locked
    ), lease as materialized (
      select clock_timestamp() + make_interval(secs => $4::float8 / 1000) as until
    ), claimed as (
      update persistence_retry_jobs j
         set lease_token = $2, lease_owner = $3, lease_expires_at = lease.until
        from due cross join lease where j.retry_job_id = due.retry_job_id
      returning j.retry_job_id
    )
    select due.retry_job_id, due.job_kind from due join claimed using (retry_job_id) order by ${CLAIM_ORDER}`;

// $1 rows at most · $2 token · $3 worker · $4 lease, ms
const CLAIM_DUE: Sql = { name: "claim_due", text: claim(`coalesce(lost_leases, 0) = 0`) };
const CLAIM_SUSPECT: Sql = { name: "claim_suspect", text: claim(SUSPECT) };

// $5 job ids
const CLAIM_SIGNALED: Sql = {
  name: "claim_signaled",
  text: claim("coalesce(lost_leases, 0) = 0 and retry_job_id = any($5::uuid[])"),
};

// $1 token · $2 job ids. Due at once, no attempt counted, and no suspicion: whoever gives a row back is alive. A row
// that somebody else holds by now is not touched. One that somebody has locked stays ours and is told: giving back must
// never wait.
const RELEASE: Sql = {
  name: "release_claim",
  text: `
    with free as (
      select retry_job_id from persistence_retry_jobs
       where retry_job_id = any($2::uuid[]) and lease_token = $1 for update skip locked
    ), released as (
      update persistence_retry_jobs j
         set lease_token = null, lease_owner = null, lease_expires_at = null, lost_leases = 0
        from free where j.retry_job_id = free.retry_job_id
      returning j.retry_job_id
    )
    select j.retry_job_id, r.retry_job_id is not null as released
      from persistence_retry_jobs j left join released r using (retry_job_id)
     where j.retry_job_id = any($2::uuid[]) and j.lease_token = $1`,
};

// $1 tokens of claims whose answer was lost. Nothing of them was begun, so their suspicion stays as it is.
const RELEASE_UNANSWERED: Sql = {
  name: "release_unanswered",
  text: `
    with free as (
      select retry_job_id from persistence_retry_jobs
       where lease_expires_at is not null and lease_token = any($1::uuid[]) for update skip locked
    )
    update persistence_retry_jobs j set lease_token = null, lease_owner = null, lease_expires_at = null
      from free where j.retry_job_id = free.retry_job_id`,
};

const Row = z
  .object({ retry_job_id: z.string(), job_kind: z.string() })
  .transform((row): ClaimedJob => ({ retryJobId: row.retry_job_id, jobKind: row.job_kind }));

/** `token`: chosen by who must know it although the answer may be lost; else one is made up. */
export type ClaimAsk = { worker: string; leaseMs: number; rowsMax: number; token?: string };

/** Takes due rows that nobody holds, the longest due first, passing by what others are just taking. */
export function claimDue(db: Queryable, ask: ClaimAsk): Promise<Claim> {
  return take(db, CLAIM_DUE, ask);
}

/** Takes one row that lost its lease without a recorded failure. Its worker should hold nothing else. */
export function claimSuspect(db: Queryable, ask: Omit<ClaimAsk, "rowsMax">): Promise<Claim> {
  return take(db, CLAIM_SUSPECT, { ...ask, rowsMax: 1 });
}

/** Takes those of the signaled jobs that are still there, due, held by nobody, and no suspects. */
export function claimSignaled(db: Queryable, ids: string[], ask: ClaimAsk): Promise<Claim> {
  return take(db, CLAIM_SIGNALED, ask, [ids]);
}

async function take(db: Queryable, sql: Sql, ask: ClaimAsk, more: unknown[] = []) {
  const { worker, leaseMs, rowsMax, token = randomUUID() } = ask;
  return { token, worker, jobs: await many(db, sql, Row, [rowsMax, token, worker, leaseMs, ...more]) };
}

/** Gives back whatever claims have taken whose answers were lost; tells how many rows. */
export function releaseUnanswered(db: Queryable, tokens: readonly string[]): Promise<number> {
  return execute(db, RELEASE_UNANSWERED, [tokens]);
}

const Released = z.object({ retry_job_id: z.string(), released: z.boolean() });

/** `stuck`: still ours, since somebody else has the row locked. What is in neither was not ours any more. */
export type Release = { released: number; stuck: ClaimedJob[] };

/** Gives unstarted rows back. */
export async function releaseClaim(
  db: Queryable,
  { token }: Pick<Claim, "token">,
  jobs: readonly ClaimedJob[],
): Promise<Release> {
  const ids = jobs.map((job) => job.retryJobId);
  const rows = ids.length === 0 ? [] : await many(db, RELEASE, Released, [token, ids]);
  const left = new Set(rows.filter((row) => !row.released).map((row) => row.retry_job_id));
  return { released: rows.length - left.size, stuck: jobs.filter((job) => left.has(job.retryJobId)) };
}
