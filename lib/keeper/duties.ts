import type { Pool } from "pg";
import { keepMonths } from "@/lib/console/archive/months";
import { followOutcomes } from "@/lib/console/requeue/follow";
import { pruneUnusedPlans } from "@/lib/console/requeue/prune";
import { recoverOperations } from "@/lib/console/requeue/recover";
import type { CounterSource } from "@/lib/console/samples/engine-counters";
import { somebodyLooked } from "@/lib/console/viewers";
import { findQueue, queuesOf } from "@/lib/queues";
import type { Sources } from "@/lib/queues/queue";
import { archiveDuties } from "./archive-duties";
import { auditDuty } from "./audit-duty";
import type { Duty } from "./loop";
import { sampleDuties } from "./sample-duties";

const FOLLOW_MS = 1_000;
const RECOVER_MS = 2_000;
const PRUNE_MS = 60_000;
const MONTHS_MS = 10 * 60_000;
const VIEWER_MS = 60_000;

/** Everything that a keeper does, each duty leased by itself so that a slow one does not hold up the others. */
export function dutiesOf(own: Pool, sources: Sources, demo: boolean, engine: CounterSource | null): Duty[] {
  const doorOf = (queue: string) => findQueue(queue, sources)?.door ?? null;
  const { rpc } = sources;
  return [
    ...sampleDuties(own, queuesOf(sources), engine),
    ...queuesOf(sources).flatMap((queue) => archiveDuties(own, queue)),
    { name: "archive-months", everyMs: MONTHS_MS, run: () => keepMonths(own) },
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
    auditDuty(own),
    {
      name: "prune",
      everyMs: PRUNE_MS,
      async run() {
        await pruneUnusedPlans(own);
      },
    },
  ];
}
