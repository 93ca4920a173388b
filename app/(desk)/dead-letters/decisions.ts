"use server";

import { z } from "zod";
import { operatorAction } from "@/lib/auth/action";
import { copyIn } from "@/lib/console/archive/copy";
import { decideLetters } from "@/lib/console/archive/resolve";
import { queueNamed } from "@/lib/console/sources";
import { pools } from "@/lib/db/pools";
import { REASON_MAX } from "@/lib/domain/gate";
import { QueueName } from "@/lib/domain/queue";
import { RESOLVE_MAX, type ResolveVerb } from "@/lib/domain/resolve";

const DecisionInput = z.object({
  queue: QueueName,
  letterIds: z.array(z.string().min(1).max(200)).min(1).max(RESOLVE_MAX),
  reason: z.string().max(REASON_MAX, `A reason has at most ${REASON_MAX} characters.`),
});

const decision = (verb: ResolveVerb) =>
  operatorAction(verb, DecisionInput, async ({ input, who, address, requestId }) => {
    const queue = queueNamed(input.queue);
    const [only, ...others] = input.letterIds;
    // A letter that has just died may not be kept yet. Where its store is away, what is kept can be decided all the same.
    if (queue && only && others.length === 0) await copyIn(pools().own, queue, only).catch(() => {});
    const actor = { id: who.userId, name: who.displayName, role: who.role };
    return decideLetters(pools().own, verb, input, { userId: who.userId, actor, address, requestId });
  });

/** Records that nothing is owed for some letters; only those that are open change. */
export const resolveLetters = decision("resolve");

/** Takes such a decision back; only letters that are resolved change. */
export const reopenLetters = decision("reopen");
