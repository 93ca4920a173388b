"use server";

import { z } from "zod";
import { operatorAction } from "@/lib/auth/action";
import { confirmRequeue } from "@/lib/console/requeue/confirm";
import { planRequeue, type RequeueableQueue } from "@/lib/console/requeue/plan";
import { queueNamed } from "@/lib/console/sources";
import { pools } from "@/lib/db/pools";
import { REASON_MAX } from "@/lib/domain/gate";
import { QueueName } from "@/lib/domain/queue";

function requeueable(name: string): RequeueableQueue {
  const queue = queueNamed(name);
  if (!queue?.door) throw new Error(`The queue ${name} has no requeue here.`);
  return queue as RequeueableQueue;
}

const PlanInput = z.object({ queue: QueueName, letterId: z.string().min(1).max(200) });

/** Called when the requeue panel opens: makes and stores the plan that the panel then shows. */
export const planLetterRequeue = operatorAction("plan_requeue", PlanInput, ({ input, who }) =>
  planRequeue(pools().own, requeueable(input.queue), input.letterId, who.userId),
);

const ConfirmInput = z.object({
  queue: QueueName,
  operationId: z.uuid(),
  acknowledged: z.array(z.string().max(64)).max(50),
  reason: z.string().max(REASON_MAX, `A reason has at most ${REASON_MAX} characters.`),
});

/** The click. At most one effect for a plan, however often it is sent. */
export const confirmLetterRequeue = operatorAction("requeue", ConfirmInput, ({ input, who, address, requestId }) =>
  confirmRequeue(pools().own, requeueable(input.queue), input, {
    userId: who.userId,
    actor: { id: who.userId, name: who.displayName, role: who.role },
    address,
    requestId,
  }),
);
