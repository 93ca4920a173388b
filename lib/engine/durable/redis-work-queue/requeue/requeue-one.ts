import { randomUUID } from "node:crypto";
import type { AnyQueue } from "@/lib/engine/durable/redis-work-queue/queue";
import type { RequeueAnswer } from "./record";
import { type RequeueBatchAsk, requeueBatch } from "./requeue-batch";

export type RequeueOneAsk = Pick<RequeueBatchAsk, "actor" | "startByMs" | "judge"> & { deadLetterId: string };

/** Requeues one letter without expectations, as an operation of its own. Throws when the store fails: then its outcome is unknown. */
export async function requeueOne(
  queue: AnyQueue,
  { deadLetterId, ...ask }: RequeueOneAsk,
): Promise<RequeueAnswer | { kind: "too_late"; serverTime: string }> {
  const ending = await requeueBatch(queue, { ...ask, operationId: randomUUID(), items: [{ deadLetterId }] });
  if (ending.kind === "too_late") return ending;
  const answer = ending.kind === "answered" ? ending.answers[0] : undefined;
  if (!answer) throw new Error(`a new operation answered ${ending.kind}`);
  return answer;
}
