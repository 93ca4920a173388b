import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import { clearlyBefore } from "@/lib/domain/ending";
import { Expect } from "@/lib/domain/preflight";
import { ENGINE_TRANSACTION_TIMEOUT_MS } from "@/lib/internal-rpc/limits";
import type { RequeueDoor } from "@/lib/queues/queue";
import { recordResult } from "./record";

/** An intent this old without an answer belongs to a web process that died or was cut. */
const ABANDONED_MS = 15_000;

/** $1 age (ms) from which an intent counts as abandoned · $2 limit. Oldest first. */
const UNANSWERED: Sql = {
  name: "operations_unanswered",
  text: `select o.operation_id::text, o.queue, o.plan_hash, o.planned_by::text as user_id, u.display_name, u.role,
      i.letter_id, i.expect, ${ms("o.intended_at")} as intended_ms, ${ms("o.sendable_until")} as sendable_until_ms,
      ${ms("clock_timestamp()")} as at_ms
    from backstop.operations o join backstop.operation_items i using (operation_id)
    join backstop.users u on u.user_id = o.planned_by
    where o.state = 'unknown' or (o.state = 'intended' and o.intended_at < statement_timestamp() - $1::int * interval '1 ms')
    order by o.intended_at limit $2`,
};

const UnansweredRow = z.object({
  operation_id: z.string(),
  queue: z.string(),
  plan_hash: z.string(),
  user_id: z.string(),
  display_name: z.string(),
  role: z.string(),
  letter_id: z.string(),
  expect: Expect.nullable(),
  intended_ms: z.number(),
  sendable_until_ms: z.number(),
  at_ms: z.number(),
});
type Unanswered = z.output<typeof UnansweredRow>;

/**
 * Finishes what a dead web process or a lost answer left open: reads each operation back and records what is proved.
 * Never sends anything again. Answers how many were ended.
 */
export async function recoverOperations(own: Pool, doorOf: (queue: string) => RequeueDoor | null): Promise<number> {
  const startedPerf = performance.now();
  const open = await many(own, UNANSWERED, UnansweredRow, [ABANDONED_MS, 50]);
  let ended = 0;
  for (const operation of open) {
    const door = doorOf(operation.queue);
    const ownNow = () => operation.at_ms + performance.now() - startedPerf;
    if (door && (await recoverOne(own, door, operation, ownNow))) ended += 1;
  }
  return ended;
}

async function recoverOne(
  own: Pool,
  door: RequeueDoor,
  open: Unanswered,
  /** The console's database clock, about now. */
  ownNow: () => number,
): Promise<boolean> {
  const ending = {
    operationId: open.operation_id,
    queue: open.queue,
    letterId: open.letter_id,
    planHash: open.plan_hash,
    actor: { id: open.user_id, name: open.display_name, role: open.role },
  };
  const items = [{ letterId: open.letter_id, expect: open.expect }];
  const found = await door.readBack(open.operation_id, items, open.user_id);
  if (found.kind === "answered" && found.answers.some((answer) => answer.dead_letter_id === open.letter_id)) {
    const { storeMs } = found;
    // The engine's record of this operation is ours whatever the clocks say.
    const answers =
      storeMs === null ? found.answers : found.answers.map((one) => ours(one, open, { storeMs, ownMs: ownNow() }));
    return recordResult(own, ending, { kind: "answered", answers, requestId: null });
  }
  if (found.kind === "unread" || !isFinal(found.kind === "absent" ? found.engineMs : null, open)) return false;
  const sentence = "The request never took effect: its signature has expired and the engine knows nothing of it.";
  return recordResult(own, ending, { kind: "not_sent", code: "never_arrived", sentence });
}

type AnswerItem = Extract<Awaited<ReturnType<RequeueDoor["readBack"]>>, { kind: "answered" }>["answers"][number];

/** Where the store alone is read back, a letter that was requeued before this intent was requeued by somebody else. */
function ours(answer: AnswerItem, open: Unanswered, now: { storeMs: number; ownMs: number }): AnswerItem {
  if (answer.answer !== "requeued") return answer;
  const atMs = Date.parse(answer.at);
  if (Number.isNaN(atMs) || !clearlyBefore(atMs, open.intended_ms, now)) return answer;
  return { ...answer, answer: "already_requeued", operation_id: null, actor: null };
}

/** "Not found" is final only when nothing of the request can still be accepted, nor a transaction of it still run. */
function isFinal(engineMs: number | null, open: Unanswered): boolean {
  const past = open.sendable_until_ms + ENGINE_TRANSACTION_TIMEOUT_MS;
  return open.at_ms > past && (engineMs === null || engineMs > past);
}
