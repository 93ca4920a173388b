import { createHmac } from "node:crypto";
import type pg from "pg";
import { execute, type Queryable, type Sql } from "@/lib/db/pg";
import type { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { failpoint } from "@/lib/engine/failpoint";
import { log } from "@/lib/engine/log";
import type { Counters } from "./counters";
import type { PersistenceRetryJob } from "./payload/decode";
import { encodePersistenceRetryJob } from "./payload/encode";

/** A row to be: the payload as text, and beside it what the lists show. Nothing reads the payload on its way in. */
export type NewRetryJob = {
  retryJobId: string;
  jobKind: string;
  characterId: string;
  realmId: string;
  zoneId: string | null;
  payload: string;
  source: string | null;
  sessionImpact: string | null;
  sessionTokenHash: string | null;
};

export type QueueDeps = { pool: pg.Pool; signal: WakeSignal; counters: Counters };

/** `durable_only`: the row is there and polling will find it; the worker was not told. */
export type SignalOutcome = { kind: "signaled" } | { kind: "durable_only"; why: "queue_full" | "queue_closed" };

// $1 job · $2 kind · $3 character · $4 realm · $5 zone · $6 payload · $7 source · $8 impact · $9 token hash
const INSERT: Sql = {
  name: "queue_retry_job",
  text: `
    insert into persistence_retry_jobs
      (retry_job_id, job_kind, character_id, realm_id, zone_id, payload, source, session_impact, session_token_hash,
       attempt_count, next_attempt_at, created_at, updated_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, 0, at, at, at from (select clock_timestamp() as at) as clock`,
};

/** Records the write. In a transaction of the caller's, who tells the worker once it is committed. */
export async function insertRetryJob(db: Queryable, job: NewRetryJob): Promise<void> {
  await execute(db, INSERT, [
    job.retryJobId,
    job.jobKind,
    job.characterId,
    job.realmId,
    job.zoneId,
    job.payload,
    job.source,
    job.sessionImpact,
    job.sessionTokenHash,
  ]);
}

/** Records the write in Postgres, then wakes the worker. Throws when it could not be recorded: nothing is queued then. */
export async function queuePersistenceRetryJobDurableWithMetrics(
  { pool, signal, counters }: QueueDeps,
  job: NewRetryJob,
): Promise<SignalOutcome> {
  await insertRetryJob(pool, job);
  await failpoint("queue.after_insert");
  return signalRetryWorker({ signal, counters }, job.retryJobId);
}

/** Tells the worker of a job that is committed; when it cannot be told, that is counted and logged. */
export function signalRetryWorker(
  { signal, counters }: Pick<QueueDeps, "signal" | "counters">,
  retryJobId: string,
): SignalOutcome {
  const offered = signal.offer(retryJobId);
  if (offered === "signaled") return { kind: "signaled" };
  counters.durableOnly.inc({ reason: offered });
  log("durable_only", { why: offered, retry_job_id: retryJobId });
  return { kind: "durable_only", why: offered };
}

/** The row of a job that starts here. `secret` null: the token is compared nowhere, and no hash of it is kept. */
export function newRetryJob(retryJobId: string, job: PersistenceRetryJob, secret: string | null): NewRetryJob {
  const { kind, characterId, realmId, zoneId } = job.payload;
  return {
    retryJobId,
    jobKind: kind,
    characterId,
    realmId,
    zoneId,
    payload: encodePersistenceRetryJob(job),
    source: job.source,
    sessionImpact: job.sessionImpact,
    sessionTokenHash:
      secret === null || job.sessionToken === null
        ? null
        : createHmac("sha256", secret).update(job.sessionToken).digest("hex"),
  };
}
