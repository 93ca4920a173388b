import type { Pool } from "pg";
import type { CounterSource } from "@/lib/console/samples/engine-counters";
import { pruneSamples } from "@/lib/console/samples/prune-samples";
import { takeSample } from "@/lib/console/samples/take-sample";
import type { Queue } from "@/lib/queues/queue";
import type { Duty } from "./loop";

const SAMPLE_MS = 5_000;
const PRUNE_MS = 60_000;

/** Each queue is read every 5 s, by whichever keeper holds its duty; and what is too old goes. */
export function sampleDuties(own: Pool, queues: readonly Queue[], engine: CounterSource | null): Duty[] {
  return [
    ...queues.map(
      (queue): Duty => ({
        name: `sample:${queue.name}`,
        everyMs: SAMPLE_MS,
        run: () => takeSample(own, queue, engine),
      }),
    ),
    { name: "prune-samples", everyMs: PRUNE_MS, run: () => pruneSamples(own) },
  ];
}
