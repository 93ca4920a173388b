import type { z } from "zod";
import type { EffectOptions, Send } from "./call";

/** Who asks when nobody clicked. */
export const NOBODY = "system";

/** The forms of a queue's answers. */
type Answers<I extends z.ZodType, P extends z.ZodType, R extends z.ZodType, O extends z.ZodType> = {
  inspect: I;
  preflight: P;
  requeueOne: R;
  operation: O;
};

/** The signed endpoints of one queue's dead letters, below `routes`. `Item`: a letter of a batch, and what it is expected to be. */
export function lettersClient<Item>() {
  return <I extends z.ZodType, P extends z.ZodType, R extends z.ZodType, O extends z.ZodType>(
    call: Send,
    routes: string,
    answers: Answers<I, P, R, O>,
  ) => ({
    /** The seed's inspection: counts and the newest letters. */
    inspect: (limit: number, actor = NOBODY) =>
      call({ method: "GET", route: `${routes}?limit=${limit}`, schema: answers.inspect, actor }),

    /** What putting each letter back would do now. Changes nothing. At most `BATCH_MAX` ids. */
    preflight: (deadLetterIds: readonly string[], actor: string) =>
      call({
        method: "POST",
        route: `${routes}/preflight`,
        schema: answers.preflight,
        actor,
        body: { dead_letter_ids: deadLetterIds },
      }),

    /** The seed's requeue of one letter. */
    requeueOne: (deadLetterId: string, by: { operationId: string; actor: string } & EffectOptions) =>
      call({
        method: "POST",
        route: `${routes}/requeue`,
        schema: answers.requeueOne,
        actor: by.actor,
        effect: true,
        idempotencyKey: by.operationId,
        signedMs: by.signedMs,
        body: { dead_letter_id: deadLetterId },
      }),

    /** Requeues letters under an operation's id, each guarded by what it is expected to be. */
    requeueBatch: (operationId: string, items: readonly Item[], actor: string, { signedMs }: EffectOptions = {}) =>
      call({
        method: "POST",
        route: `${routes}/requeue-batch`,
        schema: answers.operation,
        actor,
        effect: true,
        idempotencyKey: operationId,
        signedMs,
        body: { operation_id: operationId, items },
      }),

    /** The recorded answers of an operation. Refused with `operation_not_found` when there is none. */
    readOperation: (operationId: string, actor = NOBODY) =>
      call({
        method: "GET",
        route: `${routes}/operations/${encodeURIComponent(operationId)}`,
        schema: answers.operation,
        actor,
      }),
  });
}
