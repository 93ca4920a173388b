import type { Pool } from "pg";
import type { CounterSource } from "@/lib/console/samples/engine-counters";
import { SLOT_MS, untilNextSlot } from "@/lib/console/samples/next-slot";
import { pruneSamples } from "@/lib/console/samples/prune-samples";
import { takeSample } from "@/lib/console/samples/take-sample";
import type { Queue } from "@/lib/queues/queue";
import { type Duty, Pause } from "./loop";

const PRUNE_MS = 60_000;

/** Each queue is read every 5 s, by whichever keeper holds its duty; and what is too old goes. */
export function sampleDuties(own: Pool, queues: readonly Queue[], engine: CounterSource | null): Duty[] {
  return [
    ...queues.map(
      (queue): Duty => ({
        name: `sample:${queue.name}`,
        everyMs: SLOT_MS,
        async run() {
          const begunPerf = performance.now();
          const atMs = await takeSample(own, queue, engine);
          return atMs === null ? null : new Pause(untilNextSlot(atMs) - (performance.now() - begunPerf));
        },
      }),
    ),
    { name: "prune-samples", everyMs: PRUNE_MS, run: () => pruneSamples(own) },
  ];
}
