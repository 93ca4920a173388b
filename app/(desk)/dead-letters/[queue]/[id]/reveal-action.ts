"use server";

import { z } from "zod";
import { operatorAction } from "@/lib/auth/action";
import { revealLetter } from "@/lib/console/letters/reveal";
import { queueNamed } from "@/lib/console/sources";
import { pools } from "@/lib/db/pools";
import { QueueName } from "@/lib/domain/queue";

const RevealInput = z.object({ queue: QueueName, letterId: z.string().min(1).max(200) });

/** What masks hide of one letter, for who may reveal it; in the audit whether or not they may. */
export const revealMasked = operatorAction("reveal", RevealInput, async ({ input, who, address, requestId }) => {
  const queue = queueNamed(input.queue);
  if (queue === null) throw new Error(`There is no queue ${input.queue}.`);
  return revealLetter(pools().own, queue, input.letterId, { who, address, requestId });
});
