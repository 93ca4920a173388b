import { z } from "zod";
import { ms } from "@/lib/db/pg";
import { ArchivedState } from "@/lib/domain/archived-letter";
import { shownLabel, shownText } from "@/lib/queues/masked";

/** A letter of the archive as lists show it: no payload, error cut. Times in ms since 1970. */
export type ArchivedLetter = z.output<typeof ArchivedLetterRow>;

/** Most characters of an error that a list reads. */
const ERROR_LISTED_MAX = 400;

export const letterColumns = (errorMax = ERROR_LISTED_MAX) => `
  l.queue, l.letter_id, l.generation, l.died_at::text as cursor_at, ${ms("l.died_at")} as died_ms, l.job_id, l.kind,
  l.subject_id, l.subject_name, l.labels ->> 'realm' as realm, l.labels ->> 'zone' as zone, l.attempts,
  left(l.error, ${errorMax}) as error, l.group_id::text, l.state, ${ms("l.state_at")} as state_ms,
  ${ms("l.requeued_at")} as requeued_ms, l.requeued_from, l.next_letter_id, l.resolved_reason`;

const text = z.string().nullable();

/** Masked when it was kept, and again: by rules that came later. */
export const ArchivedLetterRow = z
  .object({
    queue: z.string(),
    letter_id: z.string(),
    generation: z.number(),
    cursor_at: z.string(),
    died_ms: z.number(),
    job_id: text,
    kind: z.string(),
    subject_id: text,
    subject_name: text,
    realm: text,
    zone: text,
    attempts: z.number(),
    error: z.string(),
    group_id: z.string(),
    state: ArchivedState,
    state_ms: z.number(),
    requeued_ms: z.number().nullable(),
    requeued_from: text,
    next_letter_id: text,
    resolved_reason: text,
  })
  .transform((row) => ({
    queue: row.queue,
    id: row.letter_id,
    generation: row.generation,
    cursorAt: row.cursor_at,
    diedMs: row.died_ms,
    jobId: row.job_id,
    kind: shownText(row.kind),
    subjectId: row.subject_id,
    subjectName: shownLabel(row.subject_name),
    realm: shownLabel(row.realm),
    zone: shownLabel(row.zone),
    attempts: row.attempts,
    error: shownText(row.error),
    groupId: row.group_id,
    state: row.state,
    stateMs: row.state_ms,
    requeuedMs: row.requeued_ms,
    requeuedFrom: row.requeued_from,
    nextLetterId: row.next_letter_id,
    resolvedReason: row.resolved_reason,
  }));
