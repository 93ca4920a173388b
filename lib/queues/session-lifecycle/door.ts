import type { z } from "zod";
import type { RpcClient } from "@/lib/internal-rpc/client";
import type { JournalBatchItem, JournalOperationAnswer } from "@/lib/internal-rpc/journal-wire";
import type { RpcResult } from "@/lib/internal-rpc/result";
import { askEngine } from "@/lib/queues/ask-engine";
import { instantMs } from "@/lib/queues/instant";
import { maskPreflight } from "@/lib/queues/mask-preflight";
import type { RequeueDoor, RequeueItem, RequeueResult } from "@/lib/queues/queue";
import { answerOf } from "./answer";
import { offers } from "./offers";
import { readOutcomes } from "./outcomes";
import { type PreflightSources, preflight } from "./preflight";
import { readBackFromStore } from "./read-back";
import { requeueBySeed } from "./requeue-by-seed";

/**
 * The guarded way back for journal letters: `requeue-batch` where the game server offers it (a repeat of the same
 * operation is harmless there), else the seed's endpoint, one letter a call.
 */
export function requeueDoor(sources: PreflightSources): RequeueDoor {
  const { redis, rpc } = sources;
  return {
    preflight: async (letterIds, actor) =>
      (await preflight(sources, letterIds, actor)).map((each) => maskPreflight(each)),

    async requeue(operationId, items, actor, signedMs) {
      const asked = await askEngine(rpc, actor);
      if ("ended" in asked) return asked.ended;
      if (!offers(asked.info, "requeue-batch"))
        return requeueBySeed(redis, asked.rpc, { operationId, actor, signedMs }, items);
      return resultOf(await asked.rpc.journal.requeueBatch(operationId, items.map(wireItem), actor, { signedMs }));
    },

    async readBack(operationId, items, actor) {
      if (rpc !== null) {
        const answer = await readOperation(rpc, operationId, actor);
        if (answer !== null) return answer;
      }
      return readBackFromStore(redis, operationId, items);
    },

    readOutcomes: (items) => readOutcomes(redis, items),
  };
}

function wireItem({ letterId, expect }: RequeueItem): z.input<typeof JournalBatchItem> {
  const expected = {
    ...(expect?.session ? { session: expect.session } : {}),
    ...(expect?.resumeLedger ? { resume_ledger: expect.resumeLedger } : {}),
  };
  return { dead_letter_id: letterId, ...(Object.keys(expected).length > 0 ? { expect: expected } : {}) };
}

function resultOf(answer: RpcResult<JournalOperationAnswer>): RequeueResult {
  switch (answer.kind) {
    case "ok":
      return { kind: "answered", answers: answer.value.answers.map(answerOf), requestId: answer.requestId };
    case "refused":
      return { kind: "refused", code: answer.code, sentence: answer.sentence, requestId: answer.requestId };
    case "not_offered": {
      const sentence = "The game server no longer offers requeue-batch. Nothing was requeued.";
      return { kind: "refused", code: "not_offered", sentence, requestId: null };
    }
    case "not_sent":
    case "unknown":
      return answer;
    default:
      return answer satisfies never;
  }
}

/** Null: the game server has no such route, and what is kept in Redis must tell. */
async function readOperation(rpc: RpcClient, operationId: string, actor: string) {
  const answer = await rpc.journal.readOperation(operationId, actor);
  if (answer.kind === "ok") {
    return { kind: "answered" as const, answers: answer.value.answers.map(answerOf), storeMs: null };
  }
  if (answer.kind === "not_offered") return null;
  if (answer.kind === "refused" && answer.code === "operation_not_found") {
    return { kind: "absent" as const, engineMs: answer.serverTime ? instantMs(answer.serverTime) : null };
  }
  return { kind: "unread" as const, code: answer.code, sentence: answer.sentence };
}
