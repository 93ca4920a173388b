import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { copyIn } from "@/lib/console/archive/copy";
import { execute, transaction } from "@/lib/db/pg";
import type { Preflight } from "@/lib/domain/preflight";
import type { Plan } from "@/lib/domain/requeue";
import type { Queue, RequeueDoor } from "@/lib/queues/queue";
import { INSERT_ITEM, INSERT_OPERATION } from "./sql";
import { planHash, storable } from "./storable";

/** A queue whose letters can be requeued. */
export type RequeueableQueue = Queue & { door: RequeueDoor };

/**
 * The first moment of a requeue: keeps the letter, makes the operation id, runs the preflight and stores what it found.
 * What the plan gives back is what is stored, and so what the operator is shown. Throws when a store cannot be read.
 */
export async function planRequeue(own: Pool, queue: RequeueableQueue, letterId: string, userId: string): Promise<Plan> {
  // Whatever becomes of it, and however soon its store forgets it: the archive has it before anything is planned.
  await copyIn(own, queue, letterId);
  const [preflight] = await queue.door.preflight([letterId], userId);
  if (preflight === undefined) throw new Error("the preflight gave no answer for the letter");
  return storePlan(own, queue.name, preflight, userId);
}

export async function storePlan(own: Pool, queue: string, preflight: Preflight, userId: string): Promise<Plan> {
  const operationId = randomUUID();
  const stored = storable(preflight);
  await transaction(own, async (client) => {
    await execute(client, INSERT_OPERATION, [operationId, queue, planHash({ queue, preflight }), userId]);
    await execute(client, INSERT_ITEM, [
      operationId,
      preflight.letterId,
      stored,
      storable(preflight.findings),
      preflight.expect === null ? null : storable(preflight.expect),
    ]);
  });
  return { operationId, preflight: JSON.parse(stored) as Preflight };
}
