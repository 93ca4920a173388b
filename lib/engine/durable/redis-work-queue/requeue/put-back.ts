import { randomUUID } from "node:crypto";
import { z } from "zod";
import { newEntry } from "@/lib/engine/durable/redis-work-queue/envelope/entry";
import { ANSWERS } from "@/lib/engine/durable/redis-work-queue/lua/answers";
import { REFUSE as REFUSE_LUA } from "@/lib/engine/durable/redis-work-queue/lua/refuse";
import { REQUEUE as REQUEUE_LUA } from "@/lib/engine/durable/redis-work-queue/lua/requeue";
import type { AnyQueue } from "@/lib/engine/durable/redis-work-queue/queue";
import { runScript, script, Text, word } from "@/lib/engine/durable/redis-work-queue/script";
import type { FoundLetter } from "./find-letters";
import { type AnswerRecord, parseRecord } from "./record";

const [REQUEUE, REFUSE] = [script(ANSWERS, REQUEUE_LUA), script(ANSWERS, REFUSE_LUA)];
const Answer = z.tuple([word("requeued", "already_requeued", "not_found", "recorded", "too_late"), Text]);

export type PutBackAsk = {
  operationId: string;
  deadLetterId: string;
  /** From `expectText`. */
  expect: string;
  actor: string;
  /** Ms since 1970 on the store's clock; nothing is begun after it. */
  startByMs?: number | undefined;
};

export type PutBack = { kind: "answered"; record: AnswerRecord } | { kind: "too_late"; serverTime: string };

/**
 * Puts one letter's work back, or answers why not, in one script. `found` null: it is not among the letters now.
 * @param gone how many letters nearer to the tail this caller has removed since it was found
 */
export async function putBack(
  { redis, keys }: AnyQueue,
  { operationId, deadLetterId, expect, actor, startByMs }: PutBackAsk,
  found: FoundLetter | null,
  gone = 0,
): Promise<PutBack> {
  const entryId = found?.letter.entryId ? randomUUID() : null;
  const [before, after] = !found
    ? ["", ""]
    : entryId === null
      ? [found.letter.item, ""]
      : newEntry({ entryId, requeued: { from: deadLetterId, operationId }, item: found.letter.item });
  const [kind, text] = await runScript(
    redis,
    REQUEUE,
    [keys.deadLetter, keys.pending, keys.operations, keys.operationsAt, keys.minutes],
    [
      operationId,
      deadLetterId,
      startByMs ?? "",
      found?.bytes ?? "",
      found ? -(found.place - gone) - 1 : -1,
      before,
      after,
      entryId === null ? "raw" : "entry",
      expect,
      JSON.stringify(actor),
      JSON.stringify(entryId),
    ],
    Answer,
  );
  return kind === "too_late" ? { kind, serverTime: text } : { kind: "answered", record: parseRecord(text) };
}

/** Keeps the answer for a letter that is left as it is; answers the one that was kept before, where there is one. */
export async function refuse(
  { redis, keys }: AnyQueue,
  { operationId, deadLetterId, expect }: Pick<PutBackAsk, "operationId" | "deadLetterId" | "expect">,
  why: { answer: "changed"; changed: unknown } | { answer: "undecodable"; error: string },
): Promise<AnswerRecord> {
  const record = JSON.stringify({ ...why, expect: JSON.parse(expect) });
  const all = [keys.operations, keys.operationsAt];
  const [, kept] = await runScript(redis, REFUSE, all, [operationId, deadLetterId, record], Answer);
  return parseRecord(kept);
}
