import { z } from "zod";
import { failpoint } from "@/lib/engine/failpoint";
import { readEntry, returnsName, sha1 } from "./envelope/entry";
import { type NewLetter, newLetter } from "./envelope/letter";
import { PEEK as PEEK_LUA } from "./lua/peek";
import { RETURN as RETURN_LUA } from "./lua/return";
import type { AnyQueue } from "./queue";
import { Bytes, runScript, type ScriptArg, script, Text } from "./script";

const [PEEK, RETURN] = [script(PEEK_LUA), script(RETURN_LUA)];
const Peeked = z.tuple([Text.pipe(z.enum(["alive", "unreadable", "gone"]))], Bytes);
const Moved = z.union([
  z.tuple([Text.pipe(z.literal("alive"))]),
  z.tuple([Text.pipe(z.literal("moved")), z.number(), z.number(), z.number()]),
]);

/** Leftovers that are looked at and moved in one step, and their bytes: 500 held a busy server up for 57 ms. */
const STEP_MAX = 250;
const STEP_BYTES = 4 * 1024 * 1024;

/** At the third return without a recorded failure in between an entry is dead-lettered unrun. */
export const RETURNS_MAX = 3;
export const POISON_ERROR = `poison: ${RETURNS_MAX} returns without a recorded failure`;

export type ReturnSettings = {
  /** Without a heartbeat for so long a runtime is gone, on the store's clock. Ms. */
  goneAfterMs: number;
};

export type Returned = { returned: number; dead: number };

/**
 * Brings back what runtimes that are gone had in hand: it is the next to be taken, in its old order. At most 500 a step,
 * each return counted, poison dead-lettered; what lives is left alone. Any number may do this at once.
 * @param runtime the caller's own
 */
export async function returnLeftovers(
  queue: AnyQueue,
  runtime: string,
  { goneAfterMs }: ReturnSettings,
): Promise<Returned> {
  const total: Returned = { returned: 0, dead: 0 };
  for (const other of await queue.redis.hkeys(queue.keys.runtimes)) {
    if (other === runtime) continue;
    for (;;) {
      const step = await returnStep(queue, other, goneAfterMs);
      if (step === null) break;
      total.returned += step.returned;
      total.dead += step.dead;
      await failpoint("work_queue.return_after_step");
      if (step.left === 0) break;
    }
  }
  return total;
}

/** One step of one runtime; null: it lives. */
async function returnStep({ redis, keys }: AnyQueue, runtime: string, goneAfterMs: number) {
  const processing = keys.processingOf(runtime);
  const bounds = [runtime, goneAfterMs, STEP_MAX, STEP_BYTES];
  const [state, ...entries] = await runScript(redis, PEEK, [processing, keys.runtimes], bounds, Peeked);
  if (state !== "gone") return null;
  const each = await leftoverArgs({ redis, keys }, entries);
  await failpoint("work_queue.return_before_step");
  const { pending, deadLetter, runtimes, returns, minutes, outcomes, outcomesAt } = keys;
  const moved = await runScript(
    redis,
    RETURN,
    [processing, pending, deadLetter, runtimes, returns, minutes, outcomes, outcomesAt],
    [runtime, goneAfterMs, RETURNS_MAX, ...each],
    Moved,
  );
  if (moved[0] === "alive") return null;
  const [, returned, dead, left] = moved;
  return { returned, dead, left };
}

/** What the script needs for each; the letter, which is as long as the entry, only where its returns are used up. */
async function leftoverArgs({ redis, keys }: AnyQueue, entries: readonly Buffer[]): Promise<ScriptArg[]> {
  if (entries.length === 0) return [];
  const read = entries.map((bytes) => ({ bytes, entry: readEntry(bytes) }));
  const names = read.map(({ bytes, entry }) => returnsName(bytes, entry));
  const before = await redis.hmget(keys.returns, ...names);
  return read.flatMap(({ bytes, entry }, n) => {
    const poison = Number(before[n] ?? 0) + 1 >= RETURNS_MAX;
    const letter: NewLetter | null = poison ? newLetter(bytes, entry, entry?.attempts ?? 0, POISON_ERROR) : null;
    return [
      sha1(bytes),
      names[n] ?? "",
      letter?.before ?? "",
      letter?.after ?? "",
      letter?.from ?? "",
      letter?.outcome ?? "",
    ];
  });
}
