import type { Pool } from "pg";
import type { MinuteCounts } from "@/lib/domain/minute-counts";
import type { Queue } from "@/lib/queues/queue";
import { countResolved } from "./count-resolved";
import { type CounterSource, readCounters } from "./engine-counters";
import { readLastTold } from "./last-told";
import { writeSample } from "./write-sample";

/**
 * Reads a queue once and keeps what it told; gives when it was read, on the store's clock (ms since 1970). A queue that
 * is not configured has no samples: null. Throws when its store does not answer: then there is no sample, and a gap
 * stays a gap.
 */
export async function takeSample(own: Pool, queue: Queue, engine: CounterSource | null): Promise<number | null> {
  const [reading, minutes, counters, resolved] = await Promise.all([
    queue.readDepths(),
    // Counts are told beside the depths, not instead of them.
    readMinutes(own, queue).catch(() => null),
    readCounters(engine),
    countResolved(own, [queue.name]).catch(() => null),
  ]);
  if (reading.kind === "failed") throw new Error(reading.sentence);
  if (reading.kind === "not_configured") return null;
  const told = resolved?.get(queue.name) ?? null;
  await writeSample(own, queue.name, {
    depths: reading.value,
    minutes,
    resolved: told,
    counters: counters(queue.name),
  });
  return reading.value.atMs;
}

/** What the store counted while no keeper read it is told by the first that reads it again: of counts there is no gap. */
async function readMinutes(own: Pool, { name, minutes }: Queue): Promise<MinuteCounts[] | null> {
  return (await minutes?.readMinutes(await readLastTold(own, name))) ?? null;
}
