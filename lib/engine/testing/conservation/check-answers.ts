import { groupBy } from "@/lib/domain/group";
import type { Book } from "./book";
import type { Violation } from "./check-lives";
import type { Snapshot } from "./snapshot";

/** What callers were told of requeues, and what the engine has on record, against what became of the letters. */
export function checkAnswers({ answers }: Book, store: Snapshot): Violation[] {
  const violations: Violation[] = [];
  const letters = new Map(store.letters.map((row) => [row.dead_letter_id, row]));
  const recorded = new Map(store.operations.map((row) => [`${row.operation_id} ${row.dead_letter_id}`, row.answer]));
  const requeuedBy = groupBy(
    store.operations.filter(({ answer }) => answer.answer === "requeued"),
    (row) => row.dead_letter_id,
  );
  for (const { dead_letter_id: id, requeued, requeued_retry_job_id: job } of store.letters) {
    const by = requeuedBy.get(id) ?? [];
    if (by.length !== (requeued ? 1 : 0))
      violations.push(`letter ${id}: ${by.length} operations have it as requeued, and it is ${requeued ? "" : "not"}`);
    for (const { answer } of by)
      if (answer.retry_job_id !== job) violations.push(`letter ${id}: recorded ${answer.retry_job_id}, is ${job}`);
  }
  for (const { operationId, answer } of answers) {
    const letter = letters.get(answer.dead_letter_id);
    const told = `letter ${answer.dead_letter_id}, told ${answer.answer}`;
    if (!letter) {
      if (answer.answer !== "not_found") violations.push(`${told}: there is no such letter`);
      continue;
    }
    if (answer.answer === "requeued" || answer.answer === "already_requeued") {
      if (!letter.requeued || (answer.retry_job_id !== null && answer.retry_job_id !== letter.requeued_retry_job_id))
        violations.push(`${told} as ${answer.retry_job_id}: it is ${letter.requeued_retry_job_id}`);
    }
    const kept = operationId === null ? null : recorded.get(`${operationId} ${answer.dead_letter_id}`);
    if (operationId !== null && kept?.answer !== answer.answer)
      violations.push(`${told} in ${operationId}: on record is ${kept?.answer}`);
  }
  return violations;
}
