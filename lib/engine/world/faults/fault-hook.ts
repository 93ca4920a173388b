import type pg from "pg";
import { log } from "@/lib/engine/log";
import type { BeforeApply } from "@/lib/engine/persistence-retry/persist-retry-job";
import { THAW_AFTER_LEASE_MS } from "./fault";
import { harmOf } from "./fault-jobs";
import { freezeOnce } from "./freeze";
import { findOpenFault } from "./read-fault";

/** What the retry worker does before it applies a row in the demo: a job of an open fault freezes or kills this process. */
export function faultHook(pool: pg.Pool, leaseMs: number): BeforeApply {
  return async (retryJobId, job) => {
    const harm = harmOf(job);
    if (harm === "freezes") await freezeOnce(pool, retryJobId, leaseMs + THAW_AFTER_LEASE_MS);
    if (harm === "kills" && (await findOpenFault(pool))?.fault === "poison") {
      log("demo_killed", { retry_job_id: retryJobId });
      process.kill(process.pid, "SIGKILL");
      // It dies before this is over; nothing may be applied meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 5_000));
    }
  };
}
