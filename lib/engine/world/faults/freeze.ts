import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { maybe, type Queryable, type Sql } from "@/lib/db/pg";
import { log } from "@/lib/engine/log";

// $1 job · $2 ms. Once a fault: after the thaw, or in the next life, the same job is applied like any other.
const FREEZE: Sql = {
  name: "demo_fault_freeze",
  text: `
    update demo_faults f
       set frozen_at = clock_timestamp(), ends_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
     where fault = 'worker_frozen' and ended_at is null and frozen_at is null
       and exists (select 1 from demo_fault_writes w where w.fault_id = f.fault_id and w.retry_job_id = $1)
    returning fault_id::text`,
};

/** Stops this very process as SIGSTOP does, once a fault, and has a helper thaw it after `frozenMs`. */
export async function freezeOnce(db: Queryable, retryJobId: string, frozenMs: number): Promise<void> {
  const mine = await maybe(db, FREEZE, z.object({ fault_id: z.string() }), [retryJobId, frozenMs]);
  if (mine === null) return;
  // Whoever thaws must be there first.
  await startThawer(frozenMs);
  log("demo_frozen", { retry_job_id: retryJobId, frozen_ms: frozenMs });
  process.kill(process.pid, "SIGSTOP");
  // After a signal to ourselves a moment passes until it arrives.
  await sleep(50);
  log("demo_thawed", { retry_job_id: retryJobId });
}

async function startThawer(frozenMs: number): Promise<void> {
  const script = fileURLToPath(new URL("thaw.mjs", import.meta.url));
  const helper = spawn(process.execPath, [script, String(process.pid), String(frozenMs)], {
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  helper.on("error", () => {});
  const gone = once(helper, "exit").then(() => Promise.reject(new Error("the process that thaws did not start")));
  gone.catch(() => {});
  await Promise.race([once(helper.stdout, "data"), gone]);
  helper.stdout.destroy();
  helper.unref();
}
