import { z } from "zod";
import { ms, type Sql } from "@/lib/db/pg";
import { Answer, Outcome } from "@/lib/domain/outcome";
import { Expect, Preflight } from "@/lib/domain/preflight";
import { OperationState } from "@/lib/domain/requeue";

/** $1 operation id · $2 queue · $3 plan hash · $4 who planned. */
export const INSERT_OPERATION: Sql = {
  name: "operation_insert",
  text: `insert into backstop.operations (operation_id, queue, state, plan_hash, planned_by) values ($1, $2, 'planned', $3, $4)`,
};

/** $1 operation id · $2 letter id · $3 the whole preflight as shown · $4 findings · $5 expect. */
export const INSERT_ITEM: Sql = {
  name: "operation_item_insert",
  text: `insert into backstop.operation_items (operation_id, letter_id, judged, findings, expect) values ($1, $2, $3, $4, $5)`,
};

/** $1 operation id. */
export const FIND_PLAN: Sql = {
  name: "operation_plan",
  text: `select o.operation_id::text, o.queue, o.state, o.plan_hash, o.planned_by::text, i.letter_id, i.judged, i.expect
      from backstop.operations o join backstop.operation_items i using (operation_id) where o.operation_id = $1::uuid`,
};
export const PlanRow = z
  .object({
    operation_id: z.string(),
    queue: z.string(),
    state: OperationState,
    plan_hash: z.string(),
    planned_by: z.string(),
    letter_id: z.string(),
    judged: Preflight,
    expect: Expect.nullable(),
  })
  .transform((row) => ({
    operationId: row.operation_id,
    queue: row.queue,
    state: row.state,
    planHash: row.plan_hash,
    plannedBy: row.planned_by,
    letterId: row.letter_id,
    preflight: row.judged,
    expect: row.expect,
  }));
export type StoredPlan = z.output<typeof PlanRow>;

/**
 * $1 operation id · $2 who planned it · $3 reason · $4 acknowledged codes · $5 how long (ms) a signature lives. The guard
 * on `planned` is what makes a double click and a replayed request one intent. The request is signed for the instant
 * that this answers, so that a process frozen between intent and sending cannot be accepted after `sendable_until`.
 */
export const INTEND: Sql = {
  name: "operation_intend",
  text: `update backstop.operations set state = 'intended', intended_at = clock_timestamp(), reason = $3, acknowledged = $4,
        sendable_until = clock_timestamp() + $5::int * interval '1 ms'
      where operation_id = $1::uuid and state = 'planned' and planned_by = $2::uuid
      returning ${ms("intended_at")} as intended_ms`,
};
export const IntendedRow = z.object({ intended_ms: z.number() });

/** $1 operation id · $2 state · $3 error. Guarded: an answer is recorded once, by the web or by a keeper. */
export const END_OPERATION: Sql = {
  name: "operation_end",
  text: `update backstop.operations set state = $2, error = $3,
        ended_at = case when $2 = 'unknown' then null else clock_timestamp() end
      where operation_id = $1::uuid and state in ('intended', 'unknown')`,
};

/** $1 operation id · $2 letter id · $3 answer · $4 detail · $5 new job id · $6 outcome. */
export const ANSWER_ITEM: Sql = {
  name: "operation_item_answer",
  text: `update backstop.operation_items set answer = $3, answer_detail = $4, new_job_id = $5, outcome = $6,
        outcome_at = clock_timestamp()
      where operation_id = $1::uuid and letter_id = $2`,
};

/** $1 operation id · $2 outcome, for letters without an answer. */
export const OUTCOME_WITHOUT_ANSWER: Sql = {
  name: "operation_item_outcome_without_answer",
  text: `update backstop.operation_items set outcome = $2, outcome_at = clock_timestamp()
      where operation_id = $1::uuid and answer is null`,
};

/** $1 operation id · $2 letter id · $3 outcome · $4 detail · $5 when (ms), null: now. Guarded: a known outcome stays. */
export const FOLLOWED_ITEM: Sql = {
  name: "operation_item_followed",
  text: `update backstop.operation_items set outcome = $3, outcome_detail = $4,
        outcome_at = coalesce(to_timestamp($5::float8 / 1000), clock_timestamp())
      where operation_id = $1::uuid and letter_id = $2 and outcome = 'awaiting'`,
};

export const ViewRow = z.object({
  operation_id: z.string(),
  queue: z.string(),
  state: OperationState,
  letter_id: z.string(),
  by_id: z.string(),
  by_name: z.string(),
  reason: z.string().nullable(),
  intended_ms: z.number().nullable(),
  answer: Answer.nullable(),
  answer_detail: z.record(z.string(), z.unknown()).nullable(),
  new_job_id: z.string().nullable(),
  outcome: Outcome.nullable(),
  outcome_detail: z.record(z.string(), z.unknown()).nullable(),
  outcome_ms: z.number().nullable(),
  error: z.object({ code: z.string(), sentence: z.string() }).nullable(),
  other_name: z.string().nullable(),
  at_ms: z.number(),
});
export type ViewRow = z.output<typeof ViewRow>;

const viewSql = (name: string, where: string): Sql => ({
  name,
  text: `select o.operation_id::text, o.queue, o.state, i.letter_id, u.user_id::text as by_id, u.display_name as by_name,
      o.reason, ${ms("o.intended_at")} as intended_ms, i.answer, i.answer_detail, i.new_job_id, i.outcome, i.outcome_detail,
      ${ms("i.outcome_at")} as outcome_ms, o.error,
      (select other.display_name from backstop.users other where other.user_id::text = i.answer_detail ->> 'actor') as other_name,
      ${ms("clock_timestamp()")} as at_ms
    from backstop.operations o join backstop.operation_items i using (operation_id)
    join backstop.users u on u.user_id = o.planned_by
    where ${where}`,
});

/** $1 operation id. */
export const VIEW_OPERATION = viewSql("operation_view", "o.operation_id = $1::uuid");

/** $1 queue · $2 letter ids. Everything that was really tried with these letters, oldest first. */
export const VIEW_OF_LETTERS: Sql = {
  ...viewSql("operation_views_of_letters", "o.queue = $1 and i.letter_id = any($2::text[]) and o.state <> 'planned'"),
};
VIEW_OF_LETTERS.text += " order by o.intended_at limit 100";
