import { z } from "zod";
import { many, one, type Queryable } from "@/lib/db/pg";
import { type Decoded, decodePersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import type { LetterFacts } from "@/lib/internal-rpc/wire";
import { LETTERS, PAYLOAD } from "./sql";

const Row = z.object({
  dead_letter_id: z.string(),
  job_kind: z.string(),
  requeued_at: z.string().nullable(),
  requeued_retry_job_id: z.string().nullable(),
  operation_id: z.string().nullable(),
  actor: z.string().nullable(),
  payload: z.string().nullable(),
});

/** A letter without its payload: only what that says. */
export type ReadLetter = {
  deadLetterId: string;
  jobKind: string;
  requeued: LetterFacts["requeued"];
  decoded: Decoded;
};

/** Those of the letters that exist. */
export async function readLetters(db: Queryable, deadLetterIds: readonly string[]): Promise<ReadLetter[]> {
  const letters: ReadLetter[] = [];
  for (const row of await many(db, LETTERS, Row, [deadLetterIds])) {
    const payload =
      row.payload ?? (await one(db, PAYLOAD, z.object({ payload: z.string() }), [row.dead_letter_id])).payload;
    const { requeued_at: at, requeued_retry_job_id: retry_job_id, operation_id, actor } = row;
    letters.push({
      deadLetterId: row.dead_letter_id,
      jobKind: row.job_kind,
      requeued: at === null ? null : { at, retry_job_id, operation_id, actor },
      decoded: decodePersistenceRetryJob(payload),
    });
  }
  return letters;
}
