import type { Pool } from "pg";
import { z } from "zod";
import { maybe, ms, type Sql } from "@/lib/db/pg";
import { ArchivedState } from "@/lib/domain/archived-letter";
import { shownLabel, shownText } from "@/lib/queues/masked";

const text = z.string().nullable();

/** $1 queue · $2 letter id. Of several generations the last. */
const FIND: Sql = {
  name: "archive_find_letter",
  text: `select d.letter_id, ${ms("d.died_at")} as died_ms, d.job_id, d.kind, d.subject_id, d.subject_name, d.labels, d.attempts,
      d.error, d.error_bytes, d.payload, d.payload_bytes, d.group_id::text, d.state, ${ms("d.state_at")} as state_ms,
      ${ms("d.requeued_at")} as requeued_ms, d.requeued_job_id, d.next_letter_id, ${ms("d.resolved_at")} as resolved_ms,
      u.display_name as resolved_by, d.resolved_reason, ${ms("statement_timestamp()")} as at_ms
    from backstop.dead_letters d left join backstop.users u on u.user_id = d.resolved_by
    where d.queue = $1 and d.letter_id = $2 order by d.generation desc limit 1`,
};

const Row = z
  .object({
    letter_id: z.string(),
    died_ms: z.number(),
    job_id: text,
    kind: z.string(),
    subject_id: text,
    subject_name: text,
    labels: z.record(z.string(), z.string()),
    attempts: z.number(),
    error: z.string(),
    error_bytes: z.number(),
    payload: text,
    payload_bytes: z.number(),
    group_id: z.string(),
    state: ArchivedState,
    state_ms: z.number(),
    requeued_ms: z.number().nullable(),
    requeued_job_id: text,
    next_letter_id: text,
    resolved_ms: z.number().nullable(),
    resolved_by: text,
    resolved_reason: text,
    at_ms: z.number(),
  })
  .transform((row) => ({
    id: row.letter_id,
    diedMs: row.died_ms,
    jobId: row.job_id,
    kind: shownText(row.kind),
    subjectId: row.subject_id,
    subjectName: shownLabel(row.subject_name),
    labels: Object.fromEntries(Object.entries(row.labels).map(([name, label]) => [name, shownText(label)])),
    attempts: row.attempts,
    error: shownText(row.error),
    errorBytes: row.error_bytes,
    payload: row.payload,
    payloadBytes: row.payload_bytes,
    groupId: row.group_id,
    state: row.state,
    stateMs: row.state_ms,
    requeuedMs: row.requeued_ms,
    requeuedJobId: row.requeued_job_id,
    nextLetterId: row.next_letter_id,
    resolution:
      row.resolved_ms === null ? null : { atMs: row.resolved_ms, by: row.resolved_by, reason: row.resolved_reason },
    /** The clock of the console's own database at the reading. */
    atMs: row.at_ms,
  }));

/** A letter with all that the archive keeps of it. Times in ms since 1970. */
export type KeptLetter = z.output<typeof Row>;

/** One archived letter; null: none of that id is kept. */
export function findKeptLetter(own: Pool, queue: string, id: string): Promise<KeptLetter | null> {
  return maybe(own, FIND, Row, [queue, id]);
}
