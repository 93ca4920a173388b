import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { RetrySettings } from "@/lib/config-engine";
import type { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { failpoint } from "@/lib/engine/failpoint";
import { log } from "@/lib/engine/log";
import { errorText } from "@/lib/engine/pg/error-text";
import {
  type Claim,
  type ClaimAsk,
  type ClaimedJob,
  claimDue,
  claimSignaled,
  claimSuspect,
  releaseClaim,
  releaseUnanswered,
} from "./claim";
import type { Counters } from "./counters";
import { judgeLostClaims } from "./judge-lost-claims";
import { tellLostLeases } from "./lost-leases";
import { type BeforeApply, persistRetryJobBestEffort, type RowEnding } from "./persist-retry-job";

export type WorkerDeps = {
  pool: pg.Pool;
  settings: RetrySettings;
  signal: WakeSignal;
  counters: Counters;
  /** Unique per process: the lease's owner. */
  workerId: string;
  /** See `PersistDeps`: the demo's own. */
  beforeApply?: BeforeApply | null;
};

export type Worker = {
  /** Finishes the row in hand, gives the unstarted ones back, and takes nothing more. */
  stop(): Promise<void>;
};

/** After the store went away: the first pause, and the longest. */
const TROUBLE_MS = { first: 250, longest: 5_000 };
/** While somebody else has a row of ours locked, we look so often whether it can be given back. */
const STUCK_MS = 500;

/** Works off signaled jobs by id and due ones by polling, one row at a time, until stopped. */
export function startWorker({ pool, settings, signal, counters, workerId, beforeApply }: WorkerDeps): Worker {
  const ask = { worker: workerId, leaseMs: settings.leaseMs, rowsMax: settings.batchMax };
  const stopped = new AbortController();
  let pollAt = 0;
  /** Rows that are still ours, as far as we know, and that nobody works on: to be given back. */
  let owed: { claim: Claim; jobs: readonly ClaimedJob[] }[] = [];
  /** Claims whose answer never came, by token, until their lease is over: what they took, or yet take, goes back, too. */
  const unanswered = new Map<string, number>();

  async function turn(): Promise<void> {
    await giveBack();
    const signaled = signal.drain(settings.batchMax);
    if (signaled.length > 0) await workOff("signal", await claimed((of) => claimSignaled(pool, signaled, of)));
    if (stopped.signal.aborted || performance.now() < pollAt) return;
    tellLostLeases(counters, await judgeLostClaims(pool));
    const due = await workOff("poll", await claimed((of) => claimDue(pool, of)));
    // After the batch and with nothing else in hand: what kills its process takes nobody with it, and holds nobody up.
    const suspect =
      stopped.signal.aborted || owed.length > 0
        ? 0
        : await workOff("suspect", await claimed((of) => claimSuspect(pool, of)));
    const more = due === settings.batchMax || due === null || suspect !== 0;
    pollAt = more ? 0 : performance.now() + (owed.length > 0 ? Math.min(STUCK_MS, settings.pollMs) : settings.pollMs);
  }

  async function claimed(take: (of: ClaimAsk) => Promise<Claim>): Promise<Claim> {
    const token = randomUUID();
    unanswered.set(token, performance.now() + settings.leaseMs);
    const claim = await take({ ...ask, token });
    unanswered.delete(token);
    return claim;
  }

  /** Rows in claim order; answers how many there were, or null when some had to go back unstarted. */
  async function workOff(by: "signal" | "poll" | "suspect", claim: Claim): Promise<number | null> {
    const { jobs } = claim;
    if (jobs.length === 0) return 0;
    counters.claims.inc({ by });
    counters.claimedRows.inc({ by }, jobs.length);
    log("claimed", { worker: workerId, by, rows: jobs.length });
    const held = { claim, jobs: jobs as readonly ClaimedJob[] };
    owed.push(held);
    await failpoint("claim.after");
    const endings: Partial<Record<RowEnding, number>> = {};
    for (const [index, job] of jobs.entries()) {
      held.jobs = jobs.slice(index);
      if (stopped.signal.aborted) return giveUp("stopped", held.jobs.length);
      const ending = await persistRetryJobBestEffort({ pool, settings, counters, beforeApply }, claim, job);
      endings[ending] = (endings[ending] ?? 0) + 1;
      if (ending === "short") return giveUp("short", held.jobs.length);
      if (ending === "locked") owed.push({ claim, jobs: [job] });
      if (ending === "stale") {
        held.jobs = jobs.slice(index + 1);
        return giveUp("stale", held.jobs.length);
      }
    }
    owed = owed.filter((each) => each !== held);
    log("claim_settled", { worker: workerId, by, ...endings });
    return jobs.length;
  }

  /** The lease does not cover another write, or is lost, or we stop: what is left goes back at once. */
  async function giveUp(why: "short" | "stale" | "stopped", rows: number): Promise<null> {
    log("claim_given_up", { worker: workerId, why, rows });
    await giveBack();
    return null;
  }

  /** Rows that somebody else has locked stay owed; nobody waits for them. */
  async function giveBack(): Promise<void> {
    const stuck: typeof owed = [];
    for (const { claim, jobs } of owed) {
      const release = await releaseClaim(pool, claim, jobs);
      if (release.stuck.length > 0) stuck.push({ claim, jobs: release.stuck });
    }
    owed = stuck;
    if (unanswered.size === 0) return;
    const released = await releaseUnanswered(pool, [...unanswered.keys()]);
    if (released > 0) log("claim_unanswered", { worker: workerId, rows: released });
    for (const [token, untilMs] of unanswered) if (performance.now() > untilMs) unanswered.delete(token);
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
    await giveBack().catch(() => {});
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
