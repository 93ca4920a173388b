import type { z } from "zod";
import type { EffectOptions, Send } from "./call";
import {
  JOURNAL_ROUTES,
  type JournalBatchItem,
  JournalLettersAnswer,
  JournalOperationAnswer,
  JournalPreflightAnswer,
  JournalRequeueAnswer,
} from "./journal-wire";

/** The signed endpoints of the session lifecycle journal, in the forms of those of persistence retry. */
export function journalClient(call: Send, nobody: string) {
  return {
    /** The seed's inspection: depths and the newest letters. */
    inspect: (limit: number, actor = nobody) =>
      call({ method: "GET", route: `${JOURNAL_ROUTES}?limit=${limit}`, schema: JournalLettersAnswer, actor }),

    /** What working off each letter would do now. Changes nothing. At most `BATCH_MAX` ids. */
    preflight: (deadLetterIds: readonly string[], actor: string) =>
      call({
        method: "POST",
        route: `${JOURNAL_ROUTES}/preflight`,
        schema: JournalPreflightAnswer,
        actor,
        body: { dead_letter_ids: deadLetterIds },
      }),

    /** The seed's requeue of one letter. */
    requeueOne: (deadLetterId: string, by: { operationId: string; actor: string } & EffectOptions) =>
      call({
        method: "POST",
        route: `${JOURNAL_ROUTES}/requeue`,
        schema: JournalRequeueAnswer,
        actor: by.actor,
        effect: true,
        idempotencyKey: by.operationId,
        signedMs: by.signedMs,
        body: { dead_letter_id: deadLetterId },
      }),

    /** Requeues letters under an operation's id, each guarded by what it is expected to be. */
    requeueBatch: (
      operationId: string,
      items: readonly z.input<typeof JournalBatchItem>[],
      actor: string,
      { signedMs }: EffectOptions = {},
    ) =>
      call({
        method: "POST",
        route: `${JOURNAL_ROUTES}/requeue-batch`,
        schema: JournalOperationAnswer,
        actor,
        effect: true,
        idempotencyKey: operationId,
        signedMs,
        body: { operation_id: operationId, items },
      }),

    /** The recorded answers of an operation. Refused with `operation_not_found` when there is none. */
    readOperation: (operationId: string, actor = nobody) =>
      call({
        method: "GET",
        route: `${JOURNAL_ROUTES}/operations/${encodeURIComponent(operationId)}`,
        schema: JournalOperationAnswer,
        actor,
      }),
  };
}
