import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import type { StoredOutcome, StoredState } from "@/lib/queues/queue";
import type { Features } from "./features";

/**
 * $1 letter ids · $2 the jobs that they were requeued as, where somebody knows. One snapshot, so that a job which dies
 * between two looks is not taken for one that left unproved. The letters that jobs died into are looked for only where
 * a job is gone and nothing is kept of it, in one pass: the seed's tables have no index that finds them one by one.
 */
function statesSql({ outcomes, jobs, requeued }: Features): Sql {
  const job = requeued ? "coalesce(l.requeued_retry_job_id, asked.job_id)" : "asked.job_id";
  const kept = (column: string, none: string) => (outcomes ? column : none);
  return {
    name: `persistence_archive_states_${outcomes}_${jobs}_${requeued}`,
    text: `with asked as materialized (
        select asked.letter_id, l.dead_letter_id is not null as there, ${job} as job_id,
            ${requeued ? "l.requeued_at" : "null::timestamptz"} as requeued_at,
            ${jobs ? `exists (select from persistence_retry_jobs j where j.retry_job_id = ${job})` : "true"} as lives
          from unnest($1::uuid[], $2::uuid[]) as asked(letter_id, job_id)
          left join persistence_job_dead_letters l on l.dead_letter_id = asked.letter_id
      ), told as materialized (
        select asked.*, ${kept("o.outcome", "null::text")} as outcome,
            ${kept("o.next_dead_letter_id", "null::uuid")} as next_id,
            ${kept("o.settled_at", "null::timestamptz")} as settled_at
          from asked ${outcomes ? "left join persistence_retry_outcomes o on o.retry_job_id = asked.job_id" : ""}
      ), unproved as materialized (
        select letter_id, job_id from told
         where job_id is not null and not lives and outcome is null and (requeued_at is not null or not pg_is_in_recovery())
      ), died as (
        select u.letter_id, n.dead_letter_id, n.dead_lettered_at
          from unproved u join persistence_job_dead_letters n on n.retry_job_id = u.job_id
      )
      select t.letter_id::text, t.there, t.job_id::text, ${ms("t.requeued_at")} as requeued_ms, t.outcome,
          coalesce(t.next_id, d.dead_letter_id)::text as next_letter_id,
          ${ms("coalesce(t.settled_at, d.dead_lettered_at)")} as settled_ms, u.letter_id is not null as unproved
        from told t left join unproved u on u.letter_id = t.letter_id left join died d on d.letter_id = t.letter_id
       order by d.dead_lettered_at desc nulls first`,
  };
}

const StateRow = z.object({
  letter_id: z.string(),
  there: z.boolean(),
  job_id: z.string().nullable(),
  requeued_ms: z.number().nullable(),
  outcome: z.enum(["recovered", "superseded", "died_again"]).nullable().catch(null),
  next_letter_id: z.string().nullable(),
  settled_ms: z.number().nullable(),
  /** Its job is gone, and no outcome is kept of it. */
  unproved: z.boolean(),
});
type StateRow = z.output<typeof StateRow>;

/** What some letters are now, by letter id. Ids that are no UUIDs are nobody's here, and not named. */
export async function readStoredStates(
  pool: Pool,
  features: Features,
  letters: { letterId: string; jobId: string | null }[],
): Promise<Map<string, StoredState>> {
  const isId = (id: string) => z.guid().safeParse(id).success;
  const asked = letters.filter(({ letterId }) => isId(letterId));
  if (asked.length === 0) return new Map();
  const jobs = asked.map(({ jobId }) => (jobId !== null && isId(jobId) ? jobId : null));
  const values = [asked.map(({ letterId }) => letterId), jobs];
  const rows = await many(pool, statesSql(features), StateRow, values);
  // By the id as it was asked for: a store writes them its own way.
  const byId = new Map(rows.map((row) => [row.letter_id, stateOf(row)]));
  return new Map(
    asked.flatMap(({ letterId }) => {
      const state = byId.get(letterId.toLowerCase());
      return state ? [[letterId, state] as const] : [];
    }),
  );
}

function stateOf(row: StateRow): StoredState {
  const outcome = outcomeOf(row);
  if (!row.there) return { kind: "gone", outcome };
  // A store without `requeued_at` shows it as dead for ever; what became of the job says more.
  if (row.requeued_ms !== null || outcome !== null) {
    return { kind: "requeued", atMs: row.requeued_ms, jobId: row.job_id, outcome };
  }
  return { kind: "dead" };
}

function outcomeOf(row: StateRow): StoredOutcome | null {
  const { next_letter_id: nextLetterId, settled_ms: atMs } = row;
  if (nextLetterId !== null) return { outcome: "died_again", atMs, nextLetterId };
  if (row.outcome !== null) return { outcome: row.outcome, atMs, nextLetterId: null };
  return row.unproved ? { outcome: "left_unproved", atMs: null, nextLetterId: null } : null;
}
