import type { Pool } from "pg";
import { mayUse } from "@/lib/auth/may-use";
import type { Who } from "@/lib/auth/role";
import { many, one } from "@/lib/db/pg";
import type { OperationView } from "@/lib/domain/requeue";
import { duration, utcClock } from "@/lib/domain/time";
import { VIEW_OF_LETTERS, VIEW_OPERATION, ViewRow } from "./sql";

/** One operation as the desk shows it. Throws when there is none of that id. */
export async function readOperation(own: Pool, operationId: string): Promise<OperationView> {
  return viewOf(await one(own, VIEW_OPERATION, ViewRow, [operationId]));
}

/** As `readOperation`; null when there is none, or none that who asks may see. */
export async function findOperation(
  own: Pool,
  operationId: string,
  viewer: Pick<Who, "queues">,
): Promise<OperationView | null> {
  const [row] = await many(own, VIEW_OPERATION, ViewRow, [operationId]);
  return row && mayUse(viewer, row.queue) ? viewOf(row) : null;
}

export type LetterOperation = OperationView & { reason: string | null };

/** What was tried with some letters from this desk, oldest first: by whom, why, and what became of it. */
export async function listOperationsOf(own: Pool, queue: string, letterIds: string[]): Promise<LetterOperation[]> {
  const rows = await many(own, VIEW_OF_LETTERS, ViewRow, [queue, letterIds]);
  return rows.map((row) => ({ ...viewOf(row), reason: row.reason }));
}

const text = (value: unknown) => (typeof value === "string" ? value : "");

function viewOf(row: ViewRow): OperationView {
  return {
    operationId: row.operation_id,
    state: row.state,
    letterId: row.letter_id,
    by: row.by_name,
    intendedMs: row.intended_ms,
    answer: row.answer,
    newJobId: row.new_job_id,
    outcome: row.outcome,
    outcomeMs: row.outcome_ms,
    nextLetterId: text(row.outcome_detail?.nextLetterId) || null,
    sentence: sentenceOf(row),
    atMs: row.at_ms,
  };
}

function sentenceOf(row: ViewRow): string {
  if (row.state === "planned") return "Nothing was sent.";
  if (row.state === "intended") return "Sent. The answer has not come yet.";
  if (row.state === "not_sent") return `Nothing was requeued. ${row.error?.sentence ?? ""}`.trim();
  if (row.state === "unknown" || row.outcome === null) {
    return row.error?.sentence ?? "The answer was lost and is being read back.";
  }
  switch (row.outcome) {
    case "awaiting":
      return "Requeued. Awaiting its outcome.";
    case "recovered":
      return `Recovered in ${took(row)}.`;
    case "superseded":
      return "Settled without effect: the same write had taken effect before.";
    case "died_again":
      return `Died again after ${took(row)}${row.outcome_detail?.error ? `: ${firstLine(text(row.outcome_detail.error))}` : "."}`;
    case "left_unproved":
      return "Gone from the queue. This game server keeps no outcome, so what became of it is not proved.";
    case "skipped":
      return `Skipped: ${changes(row)} Nothing was requeued.`;
    case "requeued_elsewhere":
      return elsewhere(row);
    case "left_elsewhere":
      return "Nothing was requeued: the letter is not in the store any more.";
    case "refused":
      return `Refused: the engine cannot decode the payload (${text(row.answer_detail?.error)}). Nothing changed.`;
    case "unknown":
      return "The answer was lost and is being read back.";
    default:
      return row.outcome satisfies never;
  }
}

const firstLine = (error: string) => error.split("\n")[0] ?? "";

function took(row: ViewRow): string {
  const ms = Math.max(0, (row.outcome_ms ?? row.at_ms) - (row.intended_ms ?? row.at_ms));
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : duration(ms);
}

function changes(row: ViewRow): string {
  const changed = row.answer_detail?.changed;
  if (!Array.isArray(changed)) return "something changed since the plan.";
  const words = changed.map((one: { field?: unknown; expected?: unknown; found?: unknown }) => {
    if (one.field === "session") return sessionChange(text(one.found));
    const field = text(one.field).replaceAll("_", " ");
    return `${field} went from ${text(one.expected) || "none"} to ${text(one.found) || "none"} since the plan.`;
  });
  return words.join(" ");
}

function sessionChange(found: string): string {
  if (found === "") return "whether the session is active could not be told when the requeue arrived.";
  return `the session became ${found} since the plan.`;
}

function elsewhere(row: ViewRow): string {
  const atMs = Date.parse(text(row.answer_detail?.at));
  const who = row.other_name ?? "Somebody outside this desk";
  if (Number.isNaN(atMs)) return `${who} requeued this letter before. Nothing was sent by you.`;
  const ago = Math.max(0, row.at_ms - atMs);
  return `${who} requeued this letter ${ago < 3_600_000 ? `${duration(ago)} ago` : `at ${utcClock(atMs)}`}. Nothing was requeued by this click.`;
}
