import type { Pool, PoolClient } from "pg";
import { keepAnswer } from "@/lib/console/archive/keep-answer";
import { type Actor, recordAudit } from "@/lib/console/audit/record";
import { execute, transaction } from "@/lib/db/pg";
import { outcomeOf } from "@/lib/domain/ending";
import type { BatchAnswerItem } from "@/lib/internal-rpc/wire";
import { logLine } from "@/lib/queues/log-line";
import type { RequeueResult } from "@/lib/queues/queue";
import { ANSWER_ITEM, END_OPERATION, OUTCOME_WITHOUT_ANSWER } from "./sql";
import { storable } from "./storable";

/** The operation whose ending is recorded, and under whose name its audit row stands. */
export type Ending = { operationId: string; queue: string; letterId: string; planHash: string; actor: Actor };

/**
 * Records how an operation ended, once: false when a keeper or the web had recorded it before. `unknown` is not an
 * end: the operation stays open for the read-back, and the audit gets its outcome row then.
 */
export async function recordResult(own: Pool, ending: Ending, result: RequeueResult): Promise<boolean> {
  const recorded = await recordOnce(own, ending, result);
  const answer = result.kind === "answered" ? result.answers.find(ofLetter(ending.letterId)) : undefined;
  // The answer stands whatever becomes of this: a keeper's next look comes to the same.
  if (recorded && answer) {
    await keepAnswer(own, ending.queue, answer).catch((error: Error) => {
      logLine({ event: "archive_not_told", letterId: ending.letterId, error: error.message });
    });
  }
  return recorded;
}

const ofLetter = (letterId: string) => (answer: BatchAnswerItem) => answer.dead_letter_id === letterId;

function recordOnce(own: Pool, ending: Ending, result: RequeueResult): Promise<boolean> {
  return transaction(own, async (client) => {
    switch (result.kind) {
      case "answered":
        return answered(client, ending, result.answers, result.requestId);
      case "refused":
      case "not_sent":
        return notSent(client, ending, { code: result.code, sentence: result.sentence });
      case "unknown":
        return unknown(client, ending, { code: result.code, sentence: result.sentence });
      default:
        return result satisfies never;
    }
  });
}

const audited = (ending: Ending) => ({
  phase: "outcome" as const,
  action: "requeue",
  actor: ending.actor,
  operationId: ending.operationId,
  planHash: ending.planHash,
  target: { queue: ending.queue, letterId: ending.letterId },
});

async function answered(
  client: PoolClient,
  ending: Ending,
  answers: BatchAnswerItem[],
  requestId: string | null,
): Promise<boolean> {
  const answer = answers.find(ofLetter(ending.letterId));
  if (answer === undefined) {
    return unknown(client, ending, { code: "no_answer", sentence: "The engine's answer does not name this letter." });
  }
  if ((await execute(client, END_OPERATION, [ending.operationId, "answered", null])) === 0) return false;
  const { answer: word, dead_letter_id: _letter, ...detail } = answer;
  const newJobId = answer.answer === "requeued" ? answer.retry_job_id : null;
  const outcome = outcomeOf(word);
  await execute(client, ANSWER_ITEM, [ending.operationId, ending.letterId, word, storable(detail), newJobId, outcome]);
  await recordAudit(client, { ...audited(ending), outcome: word, detail: { newJobId }, requestId });
  return true;
}

type Problem = { code: string; sentence: string };

async function notSent(client: PoolClient, ending: Ending, problem: Problem): Promise<boolean> {
  if ((await execute(client, END_OPERATION, [ending.operationId, "not_sent", storable(problem)])) === 0) return false;
  await execute(client, OUTCOME_WITHOUT_ANSWER, [ending.operationId, null]);
  await recordAudit(client, { ...audited(ending), outcome: "not_sent", detail: problem });
  return true;
}

async function unknown(client: PoolClient, ending: Ending, problem: Problem): Promise<boolean> {
  if ((await execute(client, END_OPERATION, [ending.operationId, "unknown", storable(problem)])) === 0) return false;
  await execute(client, OUTCOME_WITHOUT_ANSWER, [ending.operationId, "unknown"]);
  return true;
}
