import type { Sql } from "@/lib/db/pg";
import { instant } from "@/lib/engine/pg/instant";

/** Rows of each list of evidence; the newest are enough to judge by. */
export const EVIDENCE_MAX = 5;
/** How far back `recent` looks, in minutes. */
export const RECENT_MINUTES = 5;

// $1 dead letter
export const LETTER: Sql = {
  name: "facts_letter",
  text: `
    select l.job_kind, l.character_id, l.payload, ${instant("l.requeued_at")} as requeued_at, l.requeued_retry_job_id,
           o.operation_id, o.actor
      from persistence_job_dead_letters l
      left join persistence_retry_operations o
        on o.dead_letter_id = l.dead_letter_id and o.answer ->> 'answer' = 'requeued'
     where l.dead_letter_id = $1`,
};

// $1 character
export const CHARACTER: Sql = {
  name: "facts_character",
  text: `select name, realm_id, version::text, ${instant("changed_at")} as changed_at
           from characters where character_id = $1`,
};

// $1 idempotency key
export const KEY: Sql = {
  name: "facts_applied_key",
  text: `select retry_job_id, ${instant("applied_at")} as at from persistence_applied_keys where idempotency_key = $1`,
};

// $1 dead letter · $2 character · $3 kind · $4 when the payload was issued
export const NEWER_JOBS: Sql = {
  name: "facts_newer_jobs",
  text: `select retry_job_id, ${instant("created_at")} as created_at
           from persistence_retry_jobs
          where character_id = $2 and job_kind = $3 and created_at > $4::timestamptz
            and requeued_from is distinct from $1
          order by persistence_retry_jobs.created_at desc limit ${EVIDENCE_MAX}`,
};

// $1 dead letter
export const NEWER_LETTERS: Sql = {
  name: "facts_newer_letters",
  text: `select n.dead_letter_id, ${instant("n.dead_lettered_at")} as dead_lettered_at
           from persistence_job_dead_letters l
           join persistence_job_dead_letters n
             on n.character_id = l.character_id and n.job_kind = l.job_kind
            and n.dead_lettered_at > l.dead_lettered_at and n.requeued_at is null
          where l.dead_letter_id = $1
          order by n.dead_lettered_at desc limit ${EVIDENCE_MAX}`,
};

// $1 kind
export const RECENT: Sql = {
  name: "facts_recent",
  text: `select ${RECENT_MINUTES} as minutes, coalesce(sum(done), 0)::int as done, coalesce(sum(failed), 0)::int as failed
           from persistence_retry_minute_counts
          where job_kind = $1 and minute > statement_timestamp() - make_interval(mins => ${RECENT_MINUTES})`,
};
