import type pg from "pg";
import { z } from "zod";
import { maybe, type Sql } from "@/lib/db/pg";
import { log } from "@/lib/engine/log";

// Once a fault: in the next life the same cleanup is worked off like any other.
const KILL: Sql = {
  name: "demo_fault_kill",
  text: `update demo_faults set ended_at = clock_timestamp(), ended_by = 'system'
          where fault = 'cleanup_killed' and ended_at is null returning fault_id::text`,
};

/** Ends this process as SIGKILL does, once, where the demo's fault is open. */
export async function killOnce(pool: pg.Pool): Promise<void> {
  if ((await maybe(pool, KILL, z.object({ fault_id: z.string() }))) === null) return;
  log("demo_killed", { fault: "cleanup_killed" });
  process.kill(process.pid, "SIGKILL");
  // It dies before this is over; nothing may be done meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
}
