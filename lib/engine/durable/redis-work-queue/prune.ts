import { z } from "zod";
import { STEP_MAX } from "./append";
import { PRUNE as LUA } from "./lua/prune";
import type { AnyQueue } from "./queue";
import { runScript, script } from "./script";

const PRUNE = script(LUA);
const Gone = z.tuple([z.number(), z.number(), z.number()]);
const DAY_MS = 24 * 3_600_000;

export type Kept = { tracesMs: number; minutesMs: number };

/** What is kept of requeues, and of the counts by the minute. */
export const KEPT: Kept = { tracesMs: 30 * DAY_MS, minutesMs: 2 * DAY_MS };

/** Removes outcomes, answers and counts that are older than they are kept, at most 500 of each a step; answers how many. */
export async function prune({ redis, keys }: AnyQueue, { tracesMs, minutesMs }: Kept = KEPT): Promise<number> {
  const all = [keys.outcomes, keys.outcomesAt, keys.operations, keys.operationsAt, keys.minutes];
  for (let total = 0; ; ) {
    const gone = await runScript(redis, PRUNE, all, [tracesMs, minutesMs, STEP_MAX], Gone);
    total += gone.reduce((sum, count) => sum + count, 0);
    if (Math.max(...gone) < STEP_MAX) return total;
  }
}
