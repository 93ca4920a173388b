import type { Pool } from "pg";
import type { Queue } from "@/lib/queues/queue";
import { countResolved } from "./count-resolved";
import { type CounterSource, readCounters } from "./engine-counters";
import { writeSample } from "./write-sample";

/**
 * Reads a queue once and keeps what it told. A queue that is not configured has no samples. Throws when its store does
 * not answer: then there is no sample, and a gap stays a gap.
 */
export async function takeSample(own: Pool, queue: Queue, engine: CounterSource | null): Promise<void> {
  const [reading, minutes, counters, resolved] = await Promise.all([
    queue.readDepths(),
    // Counts are told beside the depths, not instead of them.
    queue.minutes?.readMinutes().catch(() => null) ?? null,
    readCounters(engine),
    countResolved(own, [queue.name]).catch(() => null),
  ]);
  if (reading.kind === "failed") throw new Error(reading.sentence);
  if (reading.kind === "not_configured") return;
  const told = resolved?.get(queue.name) ?? null;
  await writeSample(own, queue.name, {
    depths: reading.value,
    minutes,
    resolved: told,
    counters: counters(queue.name),
  });
}
