import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { execute, type Sql } from "@/lib/db/pg";
import { log } from "@/lib/engine/log";
import { errorText } from "@/lib/engine/pg/error-text";

/** Rows a statement: its locks are held for some milliseconds. */
const BATCH = 1_000;
/** Days that traces of requeues, tries, counts and answers are kept. */
const TRACES_DAYS = 30;
const EVERY_MS = 10 * 60_000;

// $1 days · $2 rows
const prune = (name: string, table: string, key: string, at: string, where = "true"): Sql => ({
  name: `prune_${name}`,
  text: `delete from ${table} where (${key}) in (
           select ${key} from ${table}
            where ${at} < statement_timestamp() - make_interval(days => $1) and ${where}
            order by ${at} limit $2 for update skip locked)`,
});

const OUTCOMES = prune("outcomes", "persistence_retry_outcomes", "retry_job_id", "settled_at");
const COUNTS = prune("counts", "persistence_retry_minute_counts", "minute, job_kind, worker", "minute");
const OPERATIONS = prune("operations", "persistence_retry_operations", "operation_id, dead_letter_id", "answered_at");
const KEYS = prune("applied_keys", "persistence_applied_keys", "idempotency_key", "applied_at");
// The tries of an active letter are what an operator judges it by.
const ATTEMPTS = prune(
  "attempts",
  "persistence_retry_attempts",
  "retry_job_id, attempt",
  "started_at",
  `not exists (select 1 from persistence_job_dead_letters l
                where l.retry_job_id = persistence_retry_attempts.retry_job_id and l.requeued_at is null)`,
);

/** Removes what is older than it is kept, in small batches. Answers how many rows went. */
export async function pruneTraces(pool: pg.Pool, { appliedKeysDays }: { appliedKeysDays: number }): Promise<number> {
  let gone = 0;
  for (const [statement, days] of [
    [OUTCOMES, TRACES_DAYS],
    [ATTEMPTS, TRACES_DAYS],
    [COUNTS, TRACES_DAYS],
    [OPERATIONS, TRACES_DAYS],
    [KEYS, appliedKeysDays],
  ] as const) {
    for (let rows = BATCH; rows === BATCH; gone += rows) rows = await execute(pool, statement, [days, BATCH]);
  }
  return gone;
}

/** Prunes now and every ten minutes until the signal is aborted. A failure is logged and tried again the next time. */
export async function keepPruning(pool: pg.Pool, kept: { appliedKeysDays: number }, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await pruneTraces(pool, kept).catch((error: unknown) =>
      log("prune_failed", { error: errorText(error).slice(0, 300) }),
    );
    await sleep(EVERY_MS, undefined, { signal: stop, ref: false }).catch(() => {});
  }
}
