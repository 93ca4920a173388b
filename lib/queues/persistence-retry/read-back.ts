import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import type { BatchAnswerItem } from "@/lib/internal-rpc/wire";
import type { ReadBack, RequeueItem } from "@/lib/queues/queue";
import { notReadable, readFeatures } from "./features";

/**
 * $1 letter ids. Only what a primary shows counts: a replica may not have replayed the requeue yet, and its silence
 * would read as "nothing happened".
 */
const READ_BACK: Sql = {
  name: "persistence_read_back",
  text: `select dead_letter_id::text as letter_id, requeued_retry_job_id::text as job_id,
      to_char(requeued_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, pg_is_in_recovery() as replica
      from persistence_job_dead_letters where dead_letter_id = any($1::uuid[])`,
};

const ReadBackRow = z.object({
  letter_id: z.string(),
  job_id: z.string().nullable(),
  at: z.string().nullable(),
  replica: z.boolean(),
});

/** What the letters' own rows say, where the game server keeps no operations. */
export async function readBackFromStore(pool: Pool, items: RequeueItem[]): Promise<ReadBack> {
  const features = await readFeatures(pool);
  if (!features.requeued) {
    const sentence = features.letters
      ? "This store has no requeued_at, so an answer cannot be read back from it."
      : notReadable("persistence_job_dead_letters");
    return { kind: "unread", code: "not_configured", sentence };
  }
  const rows = await many(pool, READ_BACK, ReadBackRow, [items.map((item) => item.letterId)]);
  const requeued = rows.filter((row) => row.at !== null && row.job_id !== null);
  if (requeued.length === 0) {
    if (rows.some((row) => row.replica)) {
      return {
        kind: "unread",
        code: "replica",
        sentence: "Only a replica can be read here, and it may lag behind the requeue.",
      };
    }
    return { kind: "absent", engineMs: null };
  }
  const answers = requeued.map(
    (row): BatchAnswerItem => ({
      answer: "requeued",
      dead_letter_id: row.letter_id,
      retry_job_id: row.job_id ?? "",
      at: row.at ?? "",
    }),
  );
  return { kind: "answered", answers };
}
