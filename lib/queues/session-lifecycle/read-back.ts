import type { Redis } from "ioredis";
import type { BatchAnswerItem } from "@/lib/internal-rpc/wire";
import type { ReadBack, RequeueItem } from "@/lib/queues/queue";
import { readTime } from "./clock";
import { findLetters } from "./find-letters";
import { readRequeued } from "./operations";

/**
 * What Redis shows of an operation where the game server keeps none: a letter that is still in the list was not requeued;
 * of one that has left it only what the engine wrote beside it tells by whom.
 */
export async function readBackFromStore(
  redis: Redis,
  operationId: string,
  items: readonly RequeueItem[],
): Promise<ReadBack> {
  const ids = items.map(({ letterId }) => letterId);
  const storeMs = await readTime(redis);
  const there = await findLetters(redis, ids);
  const requeued = await readRequeued(redis, ids);
  const answers = ids.flatMap((id, n): BatchAnswerItem[] => {
    const by = requeued[n];
    if (!by) return [];
    const ours = by.operationId === operationId;
    const letter = { dead_letter_id: id, at: by.at };
    return ours
      ? [{ answer: "requeued", ...letter, retry_job_id: by.entryId ?? "" }]
      : [
          {
            answer: "already_requeued",
            ...letter,
            retry_job_id: by.entryId,
            operation_id: by.operationId,
            actor: by.actor,
          },
        ];
  });
  if (answers.length > 0) return { kind: "answered", answers, storeMs: null };
  if (ids.every((id) => there.has(id))) return { kind: "absent", engineMs: storeMs };
  const sentence = "The letter has left the list. Whether by this requeue, this game server does not tell.";
  return { kind: "unread", code: "not_told", sentence };
}
