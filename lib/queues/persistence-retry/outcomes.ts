import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import { Outcome } from "@/lib/domain/outcome";
import type { ItemOutcome } from "@/lib/queues/queue";
import { type Features, readFeatures } from "./features";

/**
 * $1 ids of requeued jobs. One snapshot, so that a job which dies between two looks is not taken for one that left
 * unproved. A row comes back only for a job that is not waiting any more.
 */
const outcomesSql = (features: Features): Sql => ({
  name: `persistence_outcomes_${features.outcomes}_${features.letters}`,
  text: `select asked.job_id::text as job_id,
      ${features.outcomes ? "o.outcome" : "null::text"} as kept,
      ${features.outcomes ? ms("o.settled_at") : "null::float8"} as settled_ms,
      n.dead_letter_id::text as next_letter_id, ${ms("n.dead_lettered_at")} as died_ms, left(n.error, 400) as error
    from unnest($1::uuid[]) as asked(job_id)
    ${features.outcomes ? "left join persistence_retry_outcomes o on o.retry_job_id = asked.job_id" : ""}
    left join lateral (select dead_letter_id, dead_lettered_at, error from persistence_job_dead_letters
        where retry_job_id = asked.job_id order by dead_lettered_at limit 1) n on true
    where not exists (select from persistence_retry_jobs j where j.retry_job_id = asked.job_id)`,
});

const OutcomeRow = z.object({
  job_id: z.string(),
  kept: Outcome.nullable().catch(null),
  settled_ms: z.number().nullable(),
  next_letter_id: z.string().nullable(),
  died_ms: z.number().nullable(),
  error: z.string().nullable(),
});

/** What became of requeued jobs, by letter id. Without kept outcomes a job that is gone is `left_unproved`, never recovered. */
export async function readOutcomes(
  pool: Pool,
  items: { letterId: string; newJobId: string }[],
): Promise<Map<string, ItemOutcome>> {
  if (items.length === 0) return new Map();
  const rows = await many(pool, outcomesSql(await readFeatures(pool)), OutcomeRow, [
    items.map((item) => item.newJobId),
  ]);
  const byJob = new Map(rows.map((row) => [row.job_id, outcomeOf(row)]));
  return new Map(
    items.flatMap((item) => {
      const outcome = byJob.get(item.newJobId);
      return outcome ? [[item.letterId, outcome] as const] : [];
    }),
  );
}

function outcomeOf(row: z.output<typeof OutcomeRow>): ItemOutcome {
  if (row.next_letter_id !== null) {
    const detail = { nextLetterId: row.next_letter_id, error: row.error ?? "" };
    return { outcome: "died_again", atMs: row.died_ms, detail };
  }
  return { outcome: row.kept ?? "left_unproved", atMs: row.settled_ms, detail: {} };
}
