import type { Pool } from "pg";
import { execute, type Sql } from "@/lib/db/pg";
import type { BatchAnswerItem } from "@/lib/internal-rpc/wire";

const REQUEUE = `requeued_at = coalesce(d.requeued_at, clock_timestamp()),
      requeued_job_id = coalesce($3::text, d.requeued_job_id), state_at = clock_timestamp()`;

/** $1 queue · $2 letter id · $3 the job that it became. */
const REQUEUED: Sql = {
  name: "archive_answer_requeued",
  text: `update backstop.dead_letters d set state = 'awaiting', ${REQUEUE}
    where queue = $1 and letter_id = $2 and state in ('open', 'resolved', 'requeued_elsewhere')`,
};
const ELSEWHERE: Sql = {
  name: "archive_answer_elsewhere",
  text: `update backstop.dead_letters d set state = 'requeued_elsewhere', ${REQUEUE}
    where queue = $1 and letter_id = $2 and state in ('open', 'resolved')`,
};

/** Tells the archive at once what a requeue was answered, so that no list waits for a keeper's look. */
export async function keepAnswer(own: Pool, queue: string, answer: BatchAnswerItem): Promise<void> {
  switch (answer.answer) {
    case "requeued":
      await execute(own, REQUEUED, [queue, answer.dead_letter_id, answer.retry_job_id]);
      return;
    case "already_requeued":
      await execute(own, ELSEWHERE, [queue, answer.dead_letter_id, answer.retry_job_id]);
      return;
    // What its store shows is looked at by a keeper.
    case "not_found":
    case "changed":
    case "undecodable":
      return;
    default:
      return answer satisfies never;
  }
}
