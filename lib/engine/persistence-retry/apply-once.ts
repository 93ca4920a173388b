import { z } from "zod";
import { execute, one, type Queryable, type Sql } from "@/lib/db/pg";
import { kindNamed } from "./kinds";
import type { PersistenceRetryJob } from "./payload/decode";

/**
 * `superseded`: another job has written this key, or what it would write is there already. `landed_before`: this very
 * job has written it. Nothing was written then.
 */
export type Applied = "applied" | "superseded" | "landed_before";

// $1 key · $2 job. Waits for a transaction that is just writing the same key.
const TAKE_KEY: Sql = {
  name: "apply_take_key",
  text: `insert into persistence_applied_keys (idempotency_key, retry_job_id, applied_at)
         values ($1, $2, clock_timestamp()) on conflict (idempotency_key) do nothing`,
};

// $1 key
const WHOSE_KEY: Sql = {
  name: "apply_whose_key",
  text: "select retry_job_id from persistence_applied_keys where idempotency_key = $1",
};

const Whose = z.object({ retry_job_id: z.string() });

// $1 key · $2 job
const GIVE_KEY_BACK: Sql = {
  name: "apply_give_key_back",
  text: "delete from persistence_applied_keys where idempotency_key = $1 and retry_job_id = $2",
};

/**
 * Writes a job's effects once, in the caller's transaction: its key goes into the ledger together with them. Used by
 * the retry worker and by direct writes alike. Throws what the database throws.
 */
export async function applyOnce(db: Queryable, retryJobId: string, job: PersistenceRetryJob): Promise<Applied> {
  const { key } = job.idempotency;
  const kind = kindNamed(job.payload.kind);
  if (kind === null) throw new Error(`no kind ${job.payload.kind}`);
  if ((await execute(db, TAKE_KEY, [key, retryJobId])) === 0) {
    const before = await one(db, WHOSE_KEY, Whose, [key]);
    return before.retry_job_id === retryJobId ? "landed_before" : "superseded";
  }
  const applied = await kind.apply(db, job.payload, { idempotencyKey: key });
  // The ledger names what was written, and by whom: a job that wrote nothing has no line in it.
  if (applied === "superseded") await execute(db, GIVE_KEY_BACK, [key, retryJobId]);
  return applied;
}
