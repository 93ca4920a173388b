import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { RetrySettings } from "@/lib/config-engine";
import type { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { failpoint } from "@/lib/engine/failpoint";
import { log } from "@/lib/engine/log";
import { errorText } from "@/lib/engine/pg/error-text";
import { type Claim, type ClaimedJob, claimDue, claimSignaled, releaseClaim } from "./claim";
import { persistRetryJobBestEffort } from "./persist-retry-job";

export type WorkerDeps = {
  pool: pg.Pool;
  settings: RetrySettings;
  signal: WakeSignal;
  /** Unique per process: the lease's owner. */
  workerId: string;
};

export type Worker = {
  /** Finishes the row in hand, gives the unstarted ones back, and takes nothing more. */
  stop(): Promise<void>;
};

/** After the store went away: the first pause, and the longest. */
const TROUBLE_MS = { first: 250, longest: 5_000 };

/** Works off signaled jobs by id and due ones by polling, one row at a time, until stopped. */
export function startWorker({ pool, settings, signal, workerId }: WorkerDeps): Worker {
  const ask = { worker: workerId, leaseMs: settings.leaseMs, rowsMax: settings.batchMax };
  const stopped = new AbortController();
  let pollAt = 0;
  /** Rows of a claim that an error came in between: still ours, as far as we know. */
  let owed: { claim: Claim; jobs: readonly ClaimedJob[] } | null = null;

  async function turn(): Promise<void> {
    if (owed) {
      await releaseClaim(pool, owed.claim, owed.jobs);
      owed = null;
    }
    const signaled = signal.drain(settings.batchMax);
    if (signaled.length > 0) await workOff(await claimSignaled(pool, signaled, ask));
    if (stopped.signal.aborted || performance.now() < pollAt) return;
    const claim = await claimDue(pool, ask);
    const ending = await workOff(claim);
    const more = ending === "short" || claim.jobs.length === settings.batchMax;
    pollAt = more ? 0 : performance.now() + settings.pollMs;
  }

  /** Rows in claim order. What is left when the lease gets short, or we stop, goes back at once. */
  async function workOff(claim: Claim): Promise<"all" | "short" | "stopped"> {
    const lost = claim.jobs.filter((job) => job.lostBy !== null);
    if (lost.length > 0) log("leases_lost", { count: lost.length, by: [...new Set(lost.map((job) => job.lostBy))] });
    owed = { claim, jobs: claim.jobs };
    await failpoint("claim.after");
    for (const [index, job] of claim.jobs.entries()) {
      owed = { claim, jobs: claim.jobs.slice(index) };
      const ending = stopped.signal.aborted
        ? "stopped"
        : await persistRetryJobBestEffort({ pool, settings }, claim, job);
      if (ending === "short" || ending === "stale" || ending === "stopped") {
        const left = claim.jobs.slice(ending === "stale" ? index + 1 : index);
        const released = await releaseClaim(pool, claim, left);
        log(ending === "stale" ? "claim_lost" : "claim_released", { why: ending, rows: left.length, released });
        owed = null;
        return ending === "stopped" ? "stopped" : "short";
      }
    }
    owed = null;
    return "all";
  }

  async function run(): Promise<void> {
    let troubles = 0;
    while (!stopped.signal.aborted) {
      try {
        await turn();
        if (troubles > 0) log("worker_recovered", { worker: workerId });
        troubles = 0;
        await signal.wait(Math.max(0, pollAt - performance.now()));
      } catch (error) {
        if (troubles === 0) log("worker_trouble", { worker: workerId, error: errorText(error).slice(0, 300) });
        const pauseMs = Math.min(TROUBLE_MS.longest, TROUBLE_MS.first * 2 ** troubles);
        troubles = Math.min(troubles + 1, 10);
        pollAt = 0;
        await sleep(pauseMs, undefined, { signal: stopped.signal }).catch(() => {});
      }
    }
    // A store that is away keeps nobody from stopping: the leases run out.
    if (owed) await releaseClaim(pool, owed.claim, owed.jobs).catch(() => {});
  }

  log("worker_started", { worker: workerId });
  const running = run();
  return {
    async stop() {
      stopped.abort();
      signal.close();
      await running;
      log("worker_stopped", { worker: workerId });
    },
  };
}
