import { boundedTransaction } from "@/lib/engine/pg/bounded-transaction";
import { type Applied, applyOnce } from "./apply-once";
import type { PersistenceRetryJob } from "./payload/decode";
import { newRetryJob, type QueueDeps, queuePersistenceRetryJobDurableWithMetrics } from "./queue";

/** The longest that a write may hold up the game before it is queued instead. */
const DIRECT_TIMEOUT_MS = 2_000;

export type Persisted = { kind: "written"; applied: Applied } | { kind: "queued"; error: unknown };

export type PersistDirectlyDeps = QueueDeps & { secret: string | null };

/**
 * Writes at once; what fails is queued durably under the id that the write already had. So a write whose answer was
 * lost, but which landed, is known by its key as this very job's when the retry comes.
 * Throws when it could be neither written nor queued.
 */
export async function persistOrQueue(
  deps: PersistDirectlyDeps,
  retryJobId: string,
  job: PersistenceRetryJob,
): Promise<Persisted> {
  try {
    return { kind: "written", applied: await persistDirectly(deps, retryJobId, job) };
  } catch (error) {
    await queuePersistenceRetryJobDurableWithMetrics(deps, newRetryJob(retryJobId, job, deps.secret));
    return { kind: "queued", error };
  }
}

/** One write of the game, with its key in the ledger, in one transaction. */
export function persistDirectly(
  { pool }: Pick<QueueDeps, "pool">,
  retryJobId: string,
  job: PersistenceRetryJob,
): Promise<Applied> {
  return boundedTransaction(pool, { timeoutMs: DIRECT_TIMEOUT_MS }, (client) => applyOnce(client, retryJobId, job));
}
