import type { Pool } from "pg";
import type { z } from "zod";
import type { RpcClient } from "@/lib/internal-rpc/client";
import type { RequeueAnswer } from "@/lib/internal-rpc/wire";
import { askEngine } from "@/lib/queues/ask-engine";
import { instantMs } from "@/lib/queues/instant";
import { maskPreflight } from "@/lib/queues/mask-preflight";
import type { ReadBack, RequeueDoor, RequeueItem, RequeueResult } from "@/lib/queues/queue";
import { offers } from "./offers";
import { readOutcomes } from "./outcomes";
import { type PreflightSources, preflight } from "./preflight";
import { readBackFromStore } from "./read-back";

/**
 * The guarded way back for persistence letters: `requeue-batch` where the game server offers it (a repeat of the same
 * operation is harmless there), else the seed's endpoint, one letter a call, read back from the primary.
 */
export function requeueDoor(sources: PreflightSources): RequeueDoor {
  const { pool, rpc } = sources;
  return {
    preflight: async (letterIds, actor) =>
      (await preflight(sources, letterIds, actor)).map((each) => maskPreflight(each)),

    async requeue(operationId, items, actor, signedMs) {
      const asked = await askEngine(rpc, actor);
      if ("ended" in asked) return asked.ended;
      const by = { actor, signedMs };
      const { info } = asked;
      return offers(info, "requeue-batch")
        ? batch(asked.rpc, operationId, items, by, info.kind === "ok" && info.value.checks_session === true)
        : seed(pool, asked.rpc, operationId, items, by);
    },

    async readBack(operationId, items, actor) {
      if (rpc !== null) {
        const answer = await rpc.readOperation(operationId, actor);
        if (answer.kind === "ok") return { kind: "answered", answers: answer.value.answers, storeMs: null };
        if (answer.kind === "refused" && answer.code === "operation_not_found") {
          return { kind: "absent", engineMs: answer.serverTime ? instantMs(answer.serverTime) : null };
        }
        if (answer.kind === "refused") return { kind: "unread", code: answer.code, sentence: answer.sentence };
        if (answer.kind !== "not_offered") return { kind: "unread", code: answer.code, sentence: answer.sentence };
      }
      return readBackFromStore(pool, items);
    },

    readOutcomes: (items) => readOutcomes(pool, items),
  };
}

type By = { actor: string; signedMs: number };

async function batch(
  rpc: RpcClient,
  operationId: string,
  items: RequeueItem[],
  by: By,
  checksSession: boolean,
): Promise<RequeueResult> {
  const wire = items.map((item) => ({
    dead_letter_id: item.letterId,
    ...(item.expect
      ? {
          expect: {
            character_version: item.expect.characterVersion ?? null,
            ...(checksSession && item.expect.session ? { session: item.expect.session } : {}),
          },
        }
      : {}),
  }));
  const answer = await rpc.requeueBatch(operationId, wire, by.actor, { signedMs: by.signedMs });
  switch (answer.kind) {
    case "ok":
      return { kind: "answered", answers: answer.value.answers, requestId: answer.requestId };
    case "refused":
      return { kind: "refused", code: answer.code, sentence: answer.sentence, requestId: answer.requestId };
    case "not_offered":
      return {
        kind: "refused",
        code: "not_offered",
        sentence: "The game server no longer offers requeue-batch. Nothing was requeued.",
        requestId: null,
      };
    case "not_sent":
    case "unknown":
      return answer;
    default:
      return answer satisfies never;
  }
}

/** The seed's endpoint takes one letter, so a plan of one is all that goes through it. */
async function seed(
  pool: Pool,
  rpc: RpcClient,
  operationId: string,
  items: RequeueItem[],
  by: By,
): Promise<RequeueResult> {
  const [item, ...others] = items;
  if (item === undefined || others.length > 0) throw new Error("the seed's endpoint takes exactly one letter");
  const answer = await rpc.requeueOne(item.letterId, { operationId, ...by });
  if (answer.kind === "ok") return seedAnswer(pool, item, answer.value, answer.requestId);
  if (answer.kind === "refused" && answer.code === "undecodable") {
    const refused = { answer: "undecodable" as const, dead_letter_id: item.letterId, error: answer.message };
    return { kind: "answered", answers: [refused], requestId: answer.requestId };
  }
  if (answer.kind === "refused")
    return { kind: "refused", code: answer.code, sentence: answer.sentence, requestId: answer.requestId };
  if (answer.kind === "not_offered") {
    return {
      kind: "refused",
      code: "not_offered",
      sentence: "The game server offers no requeue endpoint. Nothing was requeued.",
      requestId: null,
    };
  }
  return answer;
}

/** What the seed's answer means. It need not name the job, and `requeued: false` says missing or already requeued, not which: the store tells. */
async function seedAnswer(
  pool: Pool,
  item: RequeueItem,
  { requeued, retry_job_id: named }: z.output<typeof RequeueAnswer>,
  requestId: string | null,
): Promise<RequeueResult> {
  const ids = { dead_letter_id: item.letterId };
  if (requeued && named)
    return { kind: "answered", answers: [{ answer: "requeued", ...ids, retry_job_id: named, at: "" }], requestId };
  const stored = await readBackFromStore(pool, [item]).catch((): ReadBack => UNREAD);
  const [shown] = stored.kind === "answered" ? stored.answers : [];
  if (requeued) {
    if (shown) return { kind: "answered", answers: [shown], requestId };
    const sentence = "The game server requeued the letter without naming its new job. It is read from the store.";
    return { kind: "unknown", code: "job_not_named", sentence };
  }
  const job = shown?.answer === "requeued" ? shown : { retry_job_id: named ?? null, at: "" };
  if (job.retry_job_id !== null) {
    const by = { at: job.at, retry_job_id: job.retry_job_id, operation_id: null, actor: null };
    return { kind: "answered", answers: [{ answer: "already_requeued", ...ids, ...by }], requestId };
  }
  if (stored.kind === "absent") return { kind: "answered", answers: [{ answer: "not_found", ...ids }], requestId };
  const sentence =
    "The game server requeued nothing: the letter was requeued already, or is gone. Which of the two could not be read just now.";
  return { kind: "refused", code: "not_requeued", sentence, requestId };
}

const UNREAD: ReadBack = { kind: "unread", code: "unreachable", sentence: "Postgres does not answer." };
