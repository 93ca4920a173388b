import type { Pool } from "pg";
import { followOutcomes } from "@/lib/console/requeue/follow";
import { pruneUnusedPlans } from "@/lib/console/requeue/prune";
import { recoverOperations } from "@/lib/console/requeue/recover";
import { pruneSamples, writeSample } from "@/lib/console/samples/write";
import { somebodyLooked } from "@/lib/console/viewers";
import { findQueue, queuesOf } from "@/lib/queues";
import type { Sources } from "@/lib/queues/queue";
import type { Duty } from "./loop";

const SAMPLE_MS = 5_000;
const FOLLOW_MS = 1_000;
const RECOVER_MS = 2_000;
const PRUNE_MS = 60_000;
const VIEWER_MS = 60_000;

/** Everything that a keeper does, each duty leased by itself so that a slow one does not hold up the others. */
export function dutiesOf(own: Pool, sources: Sources, demo: boolean): Duty[] {
  const doorOf = (queue: string) => findQueue(queue, sources)?.door ?? null;
  const samplers = queuesOf(sources).map(
    (queue): Duty => ({
      name: `sample:${queue.name}`,
      everyMs: SAMPLE_MS,
      async run() {
        const reading = await queue.readDepths();
        if (reading.kind === "read") await writeSample(own, queue.name, reading.value);
        if (reading.kind === "failed") throw new Error(reading.sentence);
      },
    }),
  );
  const { rpc } = sources;
  return [
    ...samplers,
    // The demo world idles without a viewer; whether there is one, only the console knows.
    ...(demo && rpc
      ? [
          {
            name: "demo-viewer",
            everyMs: VIEWER_MS,
            run: async () => (await somebodyLooked(own, 2)) && rpc.demo.noteViewer(),
          },
        ]
      : []),
    { name: "follow-outcomes", everyMs: FOLLOW_MS, run: () => followOutcomes(own, doorOf) },
    { name: "recover-operations", everyMs: RECOVER_MS, run: () => recoverOperations(own, doorOf) },
    {
      name: "prune",
      everyMs: PRUNE_MS,
      async run() {
        await pruneSamples(own);
        await pruneUnusedPlans(own);
      },
    },
  ];
}
