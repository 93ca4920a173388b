import { randomUUID } from "node:crypto";
import type pg from "pg";
import { z } from "zod";
import type { RetrySettings } from "@/lib/config-engine";
import { execute, maybe, sqlState } from "@/lib/db/pg";
import { failpoint } from "@/lib/engine/failpoint";
import { log } from "@/lib/engine/log";
import { boundedTransaction } from "@/lib/engine/pg/bounded-transaction";
import { isConnectionLoss } from "@/lib/engine/pg/connection-loss";
import { errorText } from "@/lib/engine/pg/error-text";
import { applyOnce } from "./apply-once";
import type { Claim, ClaimedJob } from "./claim";
import type { Counters } from "./counters";
import { decodePersistenceRetryJob, type PersistenceRetryJob } from "./payload/decode";
import { DEAD, DONE, DONE_WITH_HISTORY, FAILED, LOCK, STALE } from "./settle-sql";

/**
 * What became of one claimed row. `short`: its lease does not cover a write any more. `stale`: it is no longer ours.
 * `locked`: somebody else has the row itself locked; it is still ours, and nothing was tried.
 */
export type RowEnding = "done" | "failed" | "dead" | "short" | "stale" | "locked";

// Made once: a schema compiles itself at its first row, which costs more than the row.
const Locked = z.object({
  payload: z.string(),
  started_at: z.string(),
  has_history: z.boolean(),
  covers: z.boolean(),
});
const Attempted = z.object({ attempt_count: z.number() });
const Done = z.object({ requeued_from: z.string().nullable() });

class NotOurs extends Error {}
class LeaseTooShort extends Error {}

/** A lock that was not to be had at once, or not in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Runs with the row locked and before its write. What it throws is a failure of the job. */
export type BeforeApply = (retryJobId: string, job: PersistenceRetryJob) => Promise<void>;

export type PersistDeps = {
  pool: pg.Pool;
  settings: RetrySettings;
  counters: Counters;
  /** The demo's own: how it freezes or kills the process that has a certain row in hand. Null everywhere else. */
  beforeApply?: BeforeApply | null;
};

/** One try of one row. `startedAt`: on the store's clock, once the row is locked. */
type Try = PersistDeps & { claim: Claim; job: ClaimedJob; startedAt: string | null };

/**
 * Applies one claimed row and settles it in one transaction; a failure is settled in a second. Throws only when the
 * store went away: no attempt is used up then, and the row is whatever the store says.
 */
export async function persistRetryJobBestEffort(deps: PersistDeps, claim: Claim, job: ClaimedJob): Promise<RowEnding> {
  const attempt: Try = { ...deps, claim, job, startedAt: null };
  try {
    const settled = await applyAndSettle(attempt);
    await failpoint("settle.after_commit");
    deps.counters.settles.inc({ kind: job.jobKind, ending: "done" });
    if (settled.from !== null) log("requeued_job_settled", { ...ids(job), ...settled });
    return "done";
  } catch (error) {
    if (error instanceof LeaseTooShort) return "short";
    if (error instanceof NotOurs) return stale(attempt, "settle");
    if (attempt.startedAt === null && sqlState(error) === LOCK_NOT_AVAILABLE) return locked(attempt);
    if (attempt.startedAt === null || isConnectionLoss(error)) throw error;
    return settleFailure(attempt, attempt.startedAt, errorText(error));
  }
}

function applyAndSettle(attempt: Try) {
  const { pool, settings, claim, job } = attempt;
  const { transactionTimeoutMs, leaseMarginMs } = settings;
  return boundedTransaction(pool, { timeoutMs: transactionTimeoutMs }, async (client) => {
    const needMs = transactionTimeoutMs + leaseMarginMs;
    const locked = await maybe(client, LOCK, Locked, [job.retryJobId, claim.token, needMs]);
    if (locked === null) throw new NotOurs();
    if (!locked.covers) throw new LeaseTooShort();
    attempt.startedAt = locked.started_at;
    await failpoint("apply.before");
    const decoded = decodePersistenceRetryJob(locked.payload);
    if (!decoded.ok) throw new Error(`UNDECODABLE: ${decoded.error}`);
    await attempt.beforeApply?.(job.retryJobId, decoded.job);
    const applied = await applyOnce(client, job.retryJobId, decoded.job);
    await failpoint("apply.after");
    const outcome = applied === "superseded" ? "superseded" : "recovered";
    const held = [job.retryJobId, claim.token, claim.worker];
    const done = locked.has_history
      ? await maybe(client, DONE_WITH_HISTORY, Done, [...held, locked.started_at, outcome])
      : await maybe(client, DONE, Done, held);
    if (done === null) throw new NotOurs();
    await failpoint("settle.before_commit");
    return { from: done.requeued_from, outcome };
  });
}

async function settleFailure(attempt: Try, startedAt: string, error: string): Promise<RowEnding> {
  const { pool, settings, counters, claim, job } = attempt;
  const { attemptsMax, backoffMs, backoffCapMs, transactionTimeoutMs } = settings;
  const common = [job.retryJobId, claim.token, claim.worker, startedAt, error, attemptsMax];
  const deadLetterId = randomUUID();
  const ending = await boundedTransaction(pool, { timeoutMs: transactionTimeoutMs }, async (client) => {
    // The limit is in both statements, as each other's opposite: at most one of them matches.
    const failed = await maybe(client, FAILED, Attempted, [...common, backoffMs, backoffCapMs]);
    const dead = failed ? null : await maybe(client, DEAD, Attempted, [...common, deadLetterId]);
    await failpoint("failure.before_commit");
    return { failed, dead };
  });
  if (ending.failed) {
    counters.settles.inc({ kind: job.jobKind, ending: "failed" });
    log("attempt_failed", { ...ids(job), attempts: ending.failed.attempt_count, error: firstLine(error) });
    return "failed";
  }
  if (ending.dead === null) return stale(attempt, "failure");
  const { attempt_count: attempts } = ending.dead;
  counters.settles.inc({ kind: job.jobKind, ending: "dead" });
  log("dead_letter", { ...ids(job), dead_letter_id: deadLetterId, attempts, error: firstLine(error) });
  return "dead";
}

/** A settle that wrote nothing left nothing behind, beside this count. */
async function stale({ pool, counters, claim, job }: Try, what: "settle" | "failure"): Promise<"stale"> {
  counters.staleSettles.inc({ kind: job.jobKind });
  log("stale_settle", { ...ids(job), worker: claim.worker, what });
  await execute(pool, STALE, [job.jobKind, claim.worker]);
  return "stale";
}

function locked({ claim, job }: Try): "locked" {
  log("row_locked", { ...ids(job), worker: claim.worker });
  return "locked";
}

const ids = ({ retryJobId, jobKind }: ClaimedJob) => ({ retry_job_id: retryJobId, kind: jobKind });

/** For the log: a database's detail may quote a row, which belongs into the store and not there. */
const firstLine = (text: string) => text.split("\n", 1)[0]?.slice(0, 300);
