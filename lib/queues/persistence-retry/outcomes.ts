import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import { Outcome } from "@/lib/domain/outcome";
import { shownText } from "@/lib/queues/masked";
import type { ItemOutcome } from "@/lib/queues/queue";
import { type Features, readFeatures } from "./features";

/**
 * $1 ids of requeued jobs · $2 ids of the letters that they came from. One snapshot, so that a job which dies between
 * two looks is not taken for one that left unproved. A row comes back only for a job that is not waiting any more, once
 * the requeue itself is seen: a replica may not have replayed it yet, and a job that has not come is not one that has
 * left. Where jobs or letters may not be read, a proof of its end is needed.
 */
function outcomesSql({ outcomes, letters, jobs, requeued }: Features): Sql {
  const proved = [outcomes ? "o.outcome is not null" : "", letters ? "n.dead_letter_id is not null" : ""];
  const left =
    jobs && letters
      ? "not exists (select from persistence_retry_jobs j where j.retry_job_id = asked.job_id)"
      : `(${proved.filter(Boolean).join(" or ") || "false"})`;
  const seen = requeued
    ? `exists (select from persistence_job_dead_letters l where l.dead_letter_id = asked.letter_id
        and l.requeued_retry_job_id = asked.job_id)`
    : "not pg_is_in_recovery()";
  return {
    name: `persistence_outcomes_${outcomes}_${letters}_${jobs}_${requeued}`,
    text: `select asked.job_id::text as job_id,
        ${outcomes ? "o.outcome" : "null::text"} as kept,
        ${outcomes ? ms("o.settled_at") : "null::float8"} as settled_ms,
        n.dead_letter_id::text as next_letter_id, ${ms("n.dead_lettered_at")} as died_ms, left(n.error, ${ERROR_READ_MAX}) as error
      from unnest($1::uuid[], $2::uuid[]) as asked(job_id, letter_id)
      ${outcomes ? "left join persistence_retry_outcomes o on o.retry_job_id = asked.job_id" : ""}
      left join lateral (${letters ? NEXT_LETTER : NO_LETTER}) n on true
      where ${left} and ${seen}`,
  };
}

/** Masked before it is cut: half of what is masked would be shown. */
const ERROR_SHOWN_MAX = 400;
const ERROR_READ_MAX = 2_048;

const NEXT_LETTER = `select dead_letter_id, dead_lettered_at, error from persistence_job_dead_letters
  where retry_job_id = asked.job_id order by dead_lettered_at limit 1`;
const NO_LETTER = "select null::uuid as dead_letter_id, null::timestamptz as dead_lettered_at, null::text as error";

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
    items.map((item) => item.letterId),
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
    const detail = { nextLetterId: row.next_letter_id, error: shownText(row.error ?? "").slice(0, ERROR_SHOWN_MAX) };
    return { outcome: "died_again", atMs: row.died_ms, detail };
  }
  return { outcome: row.kept ?? "left_unproved", atMs: row.settled_ms, detail: {} };
}
