import type pg from "pg";
import { type RequeueAnswer, readOperation, requeueBatch, requeueOne } from "@/lib/engine/durable/redis-work-queue";
import type { JournalHandlers } from "@/lib/engine/http/journal-handlers";
import type { JournalBatchAnswerItem } from "@/lib/internal-rpc/journal-wire";
import { readJournalFacts } from "./facts";
import { inspectJournal } from "./inspect";
import type { JournalQueue } from "./journal-queue";
import { judgeLetter } from "./judge";
import type { SessionStore } from "./sessions/session-store";

export type JournalHandlerDeps = {
  queue: JournalQueue;
  sessions: SessionStore;
  pool: pg.Pool;
  /** Tells the worker that something was put back. */
  wake: () => void;
};

/** What the engine does behind the journal's routes. */
export function journalHandlers({ queue, sessions, pool, wake }: JournalHandlerDeps): JournalHandlers {
  const judge = judgeLetter(sessions);
  return {
    inspect: (limit) => inspectJournal(queue, limit),
    async requeueOne(deadLetterId, { actor, startByMs }) {
      const answer = await requeueOne(queue, { deadLetterId, actor, startByMs, judge });
      switch (answer.kind) {
        case "requeued":
          wake();
          return { kind: "requeued", entryId: answer.entryId };
        case "already_requeued":
          return { kind: "not_requeued", entryId: answer.entryId };
        case "not_found":
          return { kind: "not_requeued", entryId: null };
        case "undecodable":
        case "too_late":
          return answer;
        case "changed":
          throw new Error("a requeue without expectation found something changed");
        default:
          return answer satisfies never;
      }
    },
    readFacts: (deadLetterIds) => readJournalFacts({ queue, sessions, pool }, deadLetterIds),
    async requeueBatch(operationId, items, { actor, startByMs }) {
      const ending = await requeueBatch(queue, {
        operationId,
        actor,
        startByMs,
        judge,
        items: items.map(({ dead_letter_id, expect }) => ({ deadLetterId: dead_letter_id, expect })),
      });
      if (ending.kind !== "answered") return ending;
      if (ending.answers.some(({ kind }) => kind === "requeued")) wake();
      return { kind: "answered", server_time: await readTime(queue), answers: ending.answers.map(answerItem) };
    },
    async readOperation(operationId) {
      // The clock first: an answer that is not there was not given at that time either.
      const serverTime = await readTime(queue);
      const answers = await readOperation(queue, operationId);
      if (answers.length === 0) return { kind: "not_found", serverTime };
      return { kind: "found", server_time: serverTime, answers: answers.map(answerItem) };
    },
  };
}

async function readTime({ redis }: JournalQueue): Promise<string> {
  const [seconds, micros] = await redis.time();
  return new Date(Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000)).toISOString();
}

function answerItem(answer: RequeueAnswer): JournalBatchAnswerItem {
  const { deadLetterId: dead_letter_id } = answer;
  switch (answer.kind) {
    case "requeued":
      return { answer: "requeued", dead_letter_id, entry_id: answer.entryId, at: answer.at };
    case "already_requeued": {
      const { at, entryId, operationId, actor } = answer;
      return { answer: "already_requeued", dead_letter_id, at, entry_id: entryId, operation_id: operationId, actor };
    }
    case "changed":
      return { answer: "changed", dead_letter_id, changed: answer.changed as ChangedFields };
    case "not_found":
      return { answer: "not_found", dead_letter_id };
    case "undecodable":
      return { answer: "undecodable", dead_letter_id, error: answer.error };
    default:
      return answer satisfies never;
  }
}

type ChangedFields = Extract<JournalBatchAnswerItem, { answer: "changed" }>["changed"];
