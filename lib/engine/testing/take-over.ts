import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Claim, claimDue, claimSuspect, releaseClaim } from "@/lib/engine/persistence-retry/claim";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { judgeLostClaims } from "@/lib/engine/persistence-retry/judge-lost-claims";
import { persistRetryJobBestEffort } from "@/lib/engine/persistence-retry/persist-retry-job";
import { retrySettings } from "./retry-settings";

const WITHIN_MS = 30_000;

/**
 * The leases of whoever is lost run out, and another worker, in this process, works everything off. Throws when
 * something is left after 30 s.
 */
export async function takeOver(pool: pg.Pool): Promise<void> {
  const ask = { worker: "heir", leaseMs: 60_000, rowsMax: 128 };
  const deps = { pool, settings: retrySettings({ leaseMs: 60_000, attemptsMax: 8 }), counters: createCounters() };
  const work = async (claim: Claim) => {
    for (const job of claim.jobs) await persistRetryJobBestEffort(deps, claim, job);
    // What a lost connection still has locked for a moment is given back, and is no failure.
    await releaseClaim(pool, claim, claim.jobs);
  };
  for (const end = performance.now() + WITHIN_MS; performance.now() < end; await sleep(20)) {
    await pool.query(
      `update persistence_retry_jobs set lease_expires_at = statement_timestamp()
        where retry_job_id in (select retry_job_id from persistence_retry_jobs where lease_owner <> 'heir' for update skip locked)`,
    );
    await judgeLostClaims(pool);
    await work(await claimDue(pool, ask));
    await work(await claimSuspect(pool, ask));
    const { rows } = await pool.query("select count(*)::int as n from persistence_retry_jobs");
    if (rows[0].n === 0) return;
  }
  throw new Error("something is left after 30 s");
}
