import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import type { BatchAnswerItem } from "@/lib/internal-rpc/wire";
import type { ReadBack, RequeueItem } from "@/lib/queues/queue";
import { notReadable, readFeatures } from "./features";

/**
 * $1 letter ids. Only what a primary shows counts: a replica may not have replayed the requeue yet, and its silence
 * would read as "nothing happened". The clock is that of the statement's beginning: what is not there was not
 * committed at that time either.
 */
const READ_BACK: Sql = {
  name: "persistence_read_back",
  text: `select l.dead_letter_id::text as letter_id, l.requeued_retry_job_id::text as job_id,
      to_char(l.requeued_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
      pg_is_in_recovery() as replica, ${ms("statement_timestamp()")} as store_ms
    from (select) as always left join persistence_job_dead_letters l on l.dead_letter_id = any($1::uuid[])`,
};

const ReadBackRow = z.object({
  letter_id: z.string().nullable(),
  job_id: z.string().nullable(),
  at: z.string().nullable(),
  replica: z.boolean(),
  store_ms: z.number(),
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
  const storeMs = rows[0]?.store_ms ?? null;
  const answers = rows.flatMap(({ letter_id, job_id, at }): BatchAnswerItem[] =>
    letter_id !== null && job_id !== null && at !== null
      ? [{ answer: "requeued", dead_letter_id: letter_id, retry_job_id: job_id, at }]
      : [],
  );
  if (answers.length > 0) return { kind: "answered", answers, storeMs };
  if (!rows.some(({ replica }) => replica)) return { kind: "absent", engineMs: storeMs };
  const sentence = "Only a replica can be read here, and it may lag behind the requeue.";
  return { kind: "unread", code: "replica", sentence };
}
