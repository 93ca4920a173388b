import { randomUUID } from "node:crypto";
import type pg from "pg";
import { failpoint } from "@/lib/engine/failpoint";
import { boundedTransaction, TooLate } from "@/lib/engine/pg/bounded-transaction";
import { NOTHING_EXPECTED } from "./expectation";
import { recordAnswers } from "./operations";
import { type RequeueEnding, requeueLetter } from "./requeue-letter";
import { REQUEUE_TIMEOUT_MS } from "./requeue-timeout";
import { storeShape } from "./store-shape";

/** `changed` cannot come: nothing is expected. `too_late`: `startByMs` had passed, nothing was done. */
export type RequeueOneEnding = Exclude<RequeueEnding, { kind: "changed" }> | { kind: "too_late"; serverTime: string };

export type RequeueOneAsk = {
  deadLetterId: string;
  /** An opaque id of who asked. */
  actor: string;
  /** Ms since 1970 on the store's clock; the transaction does not begin after it. */
  startByMs?: number;
};

class NotRequeued extends Error {
  constructor(readonly ending: RequeueEnding) {
    super(ending.kind);
  }
}

/**
 * Requeues one letter without conditions, in one transaction; works on the seed's columns alone. The caller signals
 * the new job after this has answered. Where the store keeps operations, who did it is kept as an operation of its own.
 * Throws when the store fails: the outcome is then unknown.
 */
export async function requeueOne(
  pool: pg.Pool,
  { deadLetterId, actor, startByMs }: RequeueOneAsk,
): Promise<RequeueOneEnding> {
  const shape = await storeShape(pool);
  const operationId = shape.traces ? randomUUID() : null;
  const ending = await boundedTransaction(pool, { timeoutMs: REQUEUE_TIMEOUT_MS, startByMs }, async (client) => {
    const ending = await requeueLetter(client, { deadLetterId, operationId, expect: NOTHING_EXPECTED, shape });
    if (ending.kind !== "requeued") throw new NotRequeued(ending);
    const { retryJobId, at } = ending;
    if (operationId !== null) {
      const answer = { answer: "requeued" as const, dead_letter_id: deadLetterId, retry_job_id: retryJobId, at };
      await recordAnswers(client, { operationId, actor }, [{ expect: NOTHING_EXPECTED, answer }]);
    }
    await failpoint("requeue.before_commit");
    return ending;
  }).catch((error: unknown) => {
    if (error instanceof NotRequeued) return error.ending;
    if (error instanceof TooLate) return { kind: "too_late" as const, serverTime: error.serverTime };
    throw error;
  });
  if (ending.kind === "requeued") await failpoint("requeue.after_commit");
  if (ending.kind === "changed") throw new Error("changed, with nothing expected");
  return ending;
}
