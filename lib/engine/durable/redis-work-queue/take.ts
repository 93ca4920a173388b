import { z } from "zod";
import { failpoint } from "@/lib/engine/failpoint";
import { STEP_MAX } from "./append";
import { type Entry, readEntry } from "./envelope/entry";
import { TAKE as LUA } from "./lua/take";
import type { Decoded, WorkQueue } from "./queue";
import { Bytes, runScript, script } from "./script";

const TAKE = script(LUA);

/** What a runtime holds. Its bytes are what settles it. */
export type Taken<T> = {
  bytes: Buffer;
  /** Null: the bytes are no entry of a work queue; `item` says so. */
  entry: Entry | null;
  item: Decoded<T>;
};

export const NOT_AN_ENTRY = "parse error: the bytes are not an entry of a work queue";

/**
 * Takes up to `max` (at most 500) of what has waited longest, the oldest first, and beats for the runtime. Who takes several puts each
 * of them at risk with the one that it works on: a return counts for all that it holds.
 * @param runtime one run of one process, never used again after it: see `newRuntime`
 */
export async function takeEntries<T>(
  { redis, keys, decode }: WorkQueue<T>,
  runtime: string,
  max = 1,
): Promise<Taken<T>[]> {
  const all = [keys.pending, keys.processingOf(runtime), keys.runtimes];
  const taken = await runScript(redis, TAKE, all, [runtime, Math.min(max, STEP_MAX)], z.array(Bytes));
  await failpoint("work_queue.take_after");
  return taken.map((bytes) => readTaken(bytes, decode));
}

export function readTaken<T>(bytes: Buffer, decode: (item: Buffer) => Decoded<T>): Taken<T> {
  const entry = readEntry(bytes);
  return { bytes, entry, item: entry === null ? { ok: false, error: NOT_AN_ENTRY } : decode(entry.item) };
}
