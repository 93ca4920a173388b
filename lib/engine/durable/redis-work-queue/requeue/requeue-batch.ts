import type { Letter } from "@/lib/engine/durable/redis-work-queue/envelope/letter";
import type { AnyQueue } from "@/lib/engine/durable/redis-work-queue/queue";
import { failpoint } from "@/lib/engine/failpoint";
import { type FoundLetter, findLetters } from "./find-letters";
import { operationField } from "./operations";
import { type PutBackAsk, putBack, refuse } from "./put-back";
import { type AnswerRecord, answerOf, expectText, parseRecord, type RequeueAnswer } from "./record";

/** What the caller makes of a letter just before it is put back. */
export type Judgement =
  | { kind: "fit" }
  | { kind: "changed"; changed: unknown }
  | { kind: "undecodable"; error: string };

export type RequeueBatchAsk = {
  /** Small letters. */
  operationId: string;
  /** An opaque id of who asked. */
  actor: string;
  items: readonly { deadLetterId: string; expect?: unknown }[];
  /** Ms since 1970 on the store's clock; nothing is begun after it. */
  startByMs?: number;
  /** Reads what is expected, and whether the item decodes. Absent: every letter is fit. */
  judge?: (letter: Letter, expect: unknown) => Promise<Judgement>;
};

export type RequeueBatchEnding =
  | { kind: "answered"; answers: RequeueAnswer[] }
  /** This pair came before with another expectation. Nothing was done in this call, unless both came at once. */
  | { kind: "operation_mismatch"; deadLetterId: string }
  /** Nothing was begun in this call. */
  | { kind: "too_late"; serverTime: string };

/** The last letter of a call is begun within so long, so that its caller still waits for the answer. Ms. */
const PACE_MS = 6_000;

/**
 * Requeues letters as (part of) one operation, each in a script of its own: the list is as it is after any of them.
 * Answers in the order of the items, without those whose turn did not come in time: they may come again in a later call.
 * An item that was answered before gets its kept answer, and nothing is done again.
 * Throws when the store fails: what became of the rest is then unknown, and `readOperation` tells it.
 */
export async function requeueBatch(queue: AnyQueue, ask: RequeueBatchAsk): Promise<RequeueBatchEnding> {
  const wanted = new Map<string, { expect: unknown; text: string }>();
  for (const { deadLetterId, expect } of ask.items) {
    const text = expectText(expect);
    if ((wanted.get(deadLetterId)?.text ?? text) !== text) return { kind: "operation_mismatch", deadLetterId };
    wanted.set(deadLetterId, { expect, text });
  }
  const records = await readKept(queue, ask.operationId, [...wanted.keys()]);
  const differs = ([id, record]: [string, AnswerRecord]) => expectText(record.expect) !== wanted.get(id)?.text;
  const mismatch = [...records].find(differs);
  if (mismatch) return { kind: "operation_mismatch", deadLetterId: mismatch[0] };

  const left = [...wanted.keys()].filter((id) => !records.has(id));
  const found = await findLetters(queue, left);
  await failpoint("work_queue.requeue_before");
  const untilMs = performance.now() + PACE_MS;
  let [begun, gone] = [0, 0];
  // From the tail on: what is removed moves those behind it by one, and no other.
  for (const id of left.sort((a, b) => placeOf(found.get(a)) - placeOf(found.get(b)))) {
    if (begun > 0 && performance.now() > untilMs) break;
    const { expect, text } = wanted.get(id) ?? { expect: null, text: "null" };
    const one = { operationId: ask.operationId, deadLetterId: id, expect: text, actor: ask.actor };
    const ending = await requeueItem(queue, { ...one, startByMs: ask.startByMs }, found.get(id) ?? null, {
      gone,
      judge: ask.judge && ((letter) => ask.judge?.(letter, expect) ?? Promise.resolve({ kind: "fit" })),
    });
    if (ending.kind === "too_late" && begun === 0) return ending;
    if (ending.kind === "too_late") break;
    begun += 1;
    if (differs([id, ending.record])) return { kind: "operation_mismatch", deadLetterId: id };
    if (ending.record.answer === "requeued") gone += 1;
    records.set(id, ending.record);
    await failpoint("work_queue.requeue_after");
  }
  return { kind: "answered", answers: ask.items.flatMap(({ deadLetterId }) => told(deadLetterId, records)) };
}

type ItemHelp = { gone: number; judge: ((letter: Letter) => Promise<Judgement>) | undefined };

async function requeueItem(queue: AnyQueue, ask: PutBackAsk, found: FoundLetter | null, { gone, judge }: ItemHelp) {
  const judgement = found && judge ? await judge(found.letter) : { kind: "fit" as const };
  switch (judgement.kind) {
    case "fit":
      return putBack(queue, ask, found, gone);
    case "changed": {
      const record = await refuse(queue, ask, { answer: "changed", changed: judgement.changed });
      return { kind: "answered" as const, record };
    }
    case "undecodable": {
      const record = await refuse(queue, ask, { answer: "undecodable", error: judgement.error });
      return { kind: "answered" as const, record };
    }
    default:
      return judgement satisfies never;
  }
}

const placeOf = (found: FoundLetter | undefined) => found?.place ?? Number.POSITIVE_INFINITY;

function told(deadLetterId: string, records: ReadonlyMap<string, AnswerRecord>): RequeueAnswer[] {
  const record = records.get(deadLetterId);
  return record ? [answerOf(deadLetterId, record)] : [];
}

async function readKept({ redis, keys }: AnyQueue, operationId: string, ids: readonly string[]) {
  const kept =
    ids.length === 0 ? [] : await redis.hmget(keys.operations, ...ids.map((id) => operationField(operationId, id)));
  return new Map(
    kept.flatMap((text, n): [string, AnswerRecord][] => (text ? [[ids[n] ?? "", parseRecord(text)]] : [])),
  );
}
