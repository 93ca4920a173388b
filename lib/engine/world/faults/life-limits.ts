import type { Queryable } from "@/lib/db/pg";
import { findOpenFault } from "./read-fault";

/** What everyday life leaves alone while a fault is open, so that only the fault's own writes, which are counted, suffer. */
export type LifeLimits = { rewards: boolean; durable: boolean };

/** Read anew at each moment of the world: another engine may have made the fault. */
export async function lifeLimits(db: Queryable): Promise<LifeLimits> {
  const open = await findOpenFault(db);
  return { rewards: open?.fault !== "missing_right", durable: open?.fault !== "worker_stopped" };
}
