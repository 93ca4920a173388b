import { z } from "zod";
import { failpoint } from "@/lib/engine/failpoint";
import { STEP_MAX } from "./append";
import { TICK as LUA } from "./lua/tick";
import type { AnyQueue } from "./queue";
import { runScript, script } from "./script";

const TICK = script(LUA);

/** Puts what had failed when this began behind all that wait, at most 500 a step. Answers how many. */
export async function tick({ redis, keys }: AnyQueue): Promise<number> {
  const there = await redis.llen(keys.retrying);
  let moved = 0;
  while (moved < there) {
    const max = Math.min(STEP_MAX, there - moved);
    const step = await runScript(redis, TICK, [keys.retrying, keys.pending], [max], z.number());
    await failpoint("work_queue.tick_after_step");
    moved += step;
    // Another worker's tick was quicker.
    if (step < max) break;
  }
  return moved;
}
