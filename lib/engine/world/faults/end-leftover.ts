import type pg from "pg";
import { z } from "zod";
import { one, type Sql } from "@/lib/db/pg";
import { endFault } from "./end-fault";

const DEMO_WAS_HERE: Sql = {
  name: "demo_faults_exist",
  text: "select to_regclass('demo_faults') is not null as was_here",
};

/** An engine that starts without the demo, on a store where it once ran, leaves no right revoked that nobody could grant. */
export async function endLeftoverFault(pool: pg.Pool): Promise<void> {
  const { was_here } = await one(pool, DEMO_WAS_HERE, z.object({ was_here: z.boolean() }));
  if (was_here) await endFault(pool, null, "system");
}
