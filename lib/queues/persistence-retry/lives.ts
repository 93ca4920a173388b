import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import type { Attempt, Life } from "@/lib/domain/dead-letter";
import { shownText } from "@/lib/queues/masked";
import type { Features } from "./features";

/** Lives shown before and after a letter; more than this in one piece of work is an incident of its own. */
const LIVES_MAX = 20;
const ATTEMPTS_MAX = 400;
/** Masked before it is cut: half of what is masked would be shown. */
const ERROR_SHOWN_MAX = 2_048;
const ERROR_READ_MAX = ERROR_SHOWN_MAX + 1_024;

/** $1 letter id · $2 most steps each way. The chain letter → requeued job → letter, both ways from one letter. */
const CHAIN: Sql = {
  name: "persistence_letter_chain",
  text: `with recursive back as (
      select dead_letter_id, retry_job_id, requeued_retry_job_id, dead_lettered_at, requeued_at, 0 as step
        from persistence_job_dead_letters where dead_letter_id = $1::uuid
      union all
      select p.dead_letter_id, p.retry_job_id, p.requeued_retry_job_id, p.dead_lettered_at, p.requeued_at, b.step - 1
        from back b join persistence_job_dead_letters p on p.requeued_retry_job_id = b.retry_job_id
       where b.step > -$2::int
    ), forth as (
      select * from back where step = 0
      union all
      select n.dead_letter_id, n.retry_job_id, n.requeued_retry_job_id, n.dead_lettered_at, n.requeued_at, f.step + 1
        from forth f join persistence_job_dead_letters n on n.retry_job_id = f.requeued_retry_job_id
       where f.step < $2::int
    )
    select dead_letter_id::text as letter_id, retry_job_id::text as job_id, requeued_retry_job_id::text as next_job_id,
           ${ms("dead_lettered_at")} as died_ms, ${ms("requeued_at")} as requeued_ms
      from (select * from back union select * from forth) as chain order by step limit 2 * $2::int + 1`,
};

const ChainRow = z.object({
  letter_id: z.string(),
  job_id: z.string(),
  next_job_id: z.string().nullable(),
  died_ms: z.number(),
  requeued_ms: z.number().nullable(),
});
type ChainRow = z.output<typeof ChainRow>;

/** $1 job ids · $2 limit. */
const ATTEMPTS: Sql = {
  name: "persistence_letter_attempts",
  text: `select retry_job_id::text as job_id, attempt, ${ms("started_at")} as at_ms, duration_ms, worker, left(error, ${ERROR_READ_MAX}) as error
      from persistence_retry_attempts where retry_job_id = any($1::uuid[]) order by started_at, attempt limit $2`,
};
const AttemptRow = z.object({
  job_id: z.string(),
  attempt: z.number(),
  at_ms: z.number(),
  duration_ms: z.number(),
  worker: z.string(),
  error: z.string().nullable(),
});

/** $1 job id. What the last requeued job came to, where outcomes are kept, and whether it still lives. */
const lastLifeSql = (features: Features): Sql => ({
  name: `persistence_letter_last_life_${features.outcomes}_${features.jobs}`,
  text: `select ${features.jobs ? `(select ${ms("created_at")} from persistence_retry_jobs where retry_job_id = $1::uuid)` : "null::float8"} as created_ms,
      ${features.outcomes ? "(select outcome from persistence_retry_outcomes where retry_job_id = $1::uuid)" : "null::text"} as outcome,
      ${features.outcomes ? `(select ${ms("settled_at")} from persistence_retry_outcomes where retry_job_id = $1::uuid)` : "null::float8"} as settled_ms,
      $1::text as job_id`,
});
const LastLifeRow = z.object({
  job_id: z.string(),
  created_ms: z.number().nullable(),
  outcome: z.string().nullable(),
  settled_ms: z.number().nullable(),
});

type Subject = { id: string; jobId: string; diedMs: number; source: string | null; secrets: string[] };

/** Every life of the piece of work that a letter belongs to, oldest first, each with its kept attempts. */
export async function readLives(pool: Pool, features: Features, letter: Subject): Promise<Life[]> {
  const alone: ChainRow = {
    letter_id: letter.id,
    job_id: letter.jobId,
    next_job_id: null,
    died_ms: letter.diedMs,
    requeued_ms: null,
  };
  const chain = features.requeued ? await many(pool, CHAIN, ChainRow, [letter.id, LIVES_MAX]) : [alone];
  const last = chain.at(-1);
  const jobs = chain.map((row) => row.job_id);
  if (last?.next_job_id) jobs.push(last.next_job_id);
  const attempts = features.attempts ? await many(pool, ATTEMPTS, AttemptRow, [jobs, ATTEMPTS_MAX]) : [];
  const tries = (jobId: string): Attempt[] =>
    attempts
      .filter((row) => row.job_id === jobId)
      .map((row) => ({
        attempt: row.attempt,
        atMs: row.at_ms,
        durationMs: row.duration_ms,
        worker: shownText(row.worker),
        error: row.error === null ? null : shownText(row.error, letter.secrets).slice(0, ERROR_SHOWN_MAX),
      }));
  const lives = chain.map((row, index): Life => {
    const before = chain[index - 1];
    return {
      jobId: row.job_id,
      letterId: row.letter_id,
      requeuedFrom: before?.letter_id ?? null,
      startedMs: before?.requeued_ms ?? tries(row.job_id)[0]?.atMs ?? null,
      endedMs: row.died_ms,
      end: "dead",
      source: letter.source,
      attempts: tries(row.job_id),
      attemptsKept: features.attempts,
    };
  });
  if (!last?.next_job_id) return lives;
  const [now] = await many(pool, lastLifeSql(features), LastLifeRow, [last.next_job_id]);
  return [...lives, lastLife(last, last.next_job_id, now, tries(last.next_job_id), letter.source, features)];
}

function lastLife(
  from: ChainRow,
  jobId: string,
  now: z.output<typeof LastLifeRow> | undefined,
  attempts: Attempt[],
  source: string | null,
  features: Features,
): Life {
  // Where the jobs may not be read, none can be said to have left.
  const waits = !features.jobs || typeof now?.created_ms === "number";
  const settled = now?.outcome === "recovered" || now?.outcome === "superseded" ? now.outcome : null;
  return {
    jobId,
    letterId: null,
    requeuedFrom: from.letter_id,
    startedMs: from.requeued_ms,
    endedMs: now?.settled_ms ?? null,
    end: settled ?? (waits ? "waiting" : "left_unproved"),
    source,
    attempts,
    attemptsKept: features.attempts,
  };
}
