import type { Redis } from "ioredis";
import type { RpcClient } from "@/lib/internal-rpc/client";
import type { BatchAnswerItem } from "@/lib/internal-rpc/wire";
import type { RequeueItem, RequeueResult } from "@/lib/queues/queue";
import { findLetters } from "./find-letters";
import { readRequeued } from "./operations";

type By = { operationId: string; actor: string; signedMs: number };

/** The seed's endpoint takes one letter, so a plan of one is all that goes through it. */
export async function requeueBySeed(
  redis: Redis,
  rpc: RpcClient,
  by: By,
  items: readonly RequeueItem[],
): Promise<RequeueResult> {
  const [item, ...others] = items;
  if (item === undefined || others.length > 0) throw new Error("the seed's endpoint takes exactly one letter");
  const ids = { dead_letter_id: item.letterId };
  const answer = await rpc.journal.requeueOne(item.letterId, by);
  switch (answer.kind) {
    case "ok": {
      const { requeued, entry_id } = answer.value;
      const found = requeued
        ? ({ answer: "requeued", ...ids, retry_job_id: entry_id ?? "", at: "" } as const)
        : await whyNot(redis, item.letterId, entry_id ?? null);
      if (found !== null) return { kind: "answered", answers: [found], requestId: answer.requestId };
      const sentence =
        "The game server requeued nothing: the letter was requeued already, or is gone. Which of the two could not be read just now.";
      return { kind: "refused", code: "not_requeued", sentence, requestId: answer.requestId };
    }
    case "refused":
      if (answer.code === "undecodable") {
        const refused = { answer: "undecodable" as const, ...ids, error: answer.message };
        return { kind: "answered", answers: [refused], requestId: answer.requestId };
      }
      return { kind: "refused", code: answer.code, sentence: answer.sentence, requestId: answer.requestId };
    case "not_offered": {
      const sentence = "The game server offers no requeue endpoint. Nothing was requeued.";
      return { kind: "refused", code: "not_offered", sentence, requestId: null };
    }
    case "not_sent":
    case "unknown":
      return answer;
    default:
      return answer satisfies never;
  }
}

/** `requeued: false` says missing or already requeued, not which: the store tells. Null: not just now. */
async function whyNot(redis: Redis, letterId: string, entryId: string | null): Promise<BatchAnswerItem | null> {
  const ids = { dead_letter_id: letterId };
  const nobody = { operation_id: null, actor: null };
  const [requeued] = await readRequeued(redis, [letterId]).catch(() => [null]);
  if (requeued) {
    const { at, entryId: retry_job_id, operationId: operation_id, actor } = requeued;
    return { answer: "already_requeued", ...ids, at, retry_job_id, operation_id, actor };
  }
  if (entryId !== null) return { answer: "already_requeued", ...ids, at: "", retry_job_id: entryId, ...nobody };
  const there = await findLetters(redis, [letterId]).catch(() => null);
  return there?.size === 0 ? { answer: "not_found", ...ids } : null;
}
