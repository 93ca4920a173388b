import type pg from "pg";
import { newRetryJob } from "@/lib/engine/persistence-retry/queue";
import { locationJob, newCharacter, type Person } from "@/lib/engine/testing/maker";

const CHARACTERS = 500;

/** Characters for jobs to write to, all in one zone. */
export async function newCharacters(pool: pg.Pool): Promise<Person[]> {
  const first = await newCharacter(pool);
  const others = await Promise.all(
    Array.from({ length: CHARACTERS - 1 }, () => newCharacter(pool, { zoneId: first.zoneId })),
  );
  return [first, ...others];
}

// $1 jobs · $2 characters · $3 payload, in which `<n>` becomes the job's number · $4 zone · $5 the character that it names
const FILL = `
  insert into persistence_retry_jobs
    (retry_job_id, job_kind, character_id, realm_id, zone_id, payload, source, session_impact, attempt_count,
     next_attempt_at, created_at, updated_at)
  select gen_random_uuid(), 'character_location', person, 'aurelia', $4, replace(replace($3, '<n>', n::text), $5, person::text),
         'background_location', 'None', 0, at + n * interval '1 microsecond', at, at
    from generate_series(1, $1::int) as n
    cross join lateral (select ($2::uuid[])[1 + n % cardinality($2::uuid[])] as person) as p
    cross join (select clock_timestamp() - interval '1 minute' as at) as clock`;

/**
 * Puts in due jobs of the kind whose write is one statement: the one in which all that the engine adds weighs most.
 * Each has a key of its own; characters take turns.
 */
export async function fillJobs(pool: pg.Pool, people: readonly Person[], jobs: number): Promise<void> {
  const [person] = people;
  if (!person) throw new Error("no characters");
  const { payload } = newRetryJob(person.characterId, locationJob(person, { key: "bench:<n>" }), null);
  const ids = people.map(({ characterId }) => characterId);
  await pool.query(FILL, [jobs, ids, payload, person.zoneId, person.characterId]);
}

/** Takes away all jobs and all that settling leaves behind, so that each round begins alike. */
export async function emptyJobs(pool: pg.Pool): Promise<void> {
  await pool.query(
    `truncate persistence_retry_jobs, persistence_applied_keys, persistence_retry_minute_counts,
              persistence_retry_attempts, persistence_retry_outcomes, persistence_job_dead_letters`,
  );
}
