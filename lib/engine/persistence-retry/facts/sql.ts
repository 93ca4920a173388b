import type { Sql } from "@/lib/db/pg";
import { instant } from "@/lib/engine/pg/instant";

/** Rows of each list of evidence; the newest are enough to judge by. */
const EVIDENCE_MAX = 5;
/** How far back `recent` looks, in minutes. */
export const RECENT_MINUTES = 5;
/** A payload above it is read by itself, so that one call holds little in memory. Bytes. */
const PAYLOAD_INLINE_MAX = 65_536;

// $1 dead letters
export const LETTERS: Sql = {
  name: "facts_letters",
  text: `
    select l.dead_letter_id, l.job_kind, ${instant("l.requeued_at")} as requeued_at, l.requeued_retry_job_id,
           o.operation_id, o.actor, case when octet_length(l.payload) <= ${PAYLOAD_INLINE_MAX} then l.payload end as payload
      from persistence_job_dead_letters l
      left join persistence_retry_operations o
        on o.dead_letter_id = l.dead_letter_id and o.answer ->> 'answer' = 'requeued'
     where l.dead_letter_id = any($1::uuid[])`,
};

// $1 dead letter
export const PAYLOAD: Sql = {
  name: "facts_payload",
  text: "select payload from persistence_job_dead_letters where dead_letter_id = $1",
};

// Four lists of the same length: $1 dead letters, and what their payloads say, null where one does not decode:
// $2 character · $3 idempotency key · $4 when it was issued
export const EVIDENCE: Sql = {
  name: "facts_evidence",
  text: `
    select l.dead_letter_id,
           case when c.character_id is not null then json_build_object(
             'name', c.name, 'realm_id', c.realm_id, 'version', c.version::text,
             'changed_at', ${instant("c.changed_at")}) end as character,
           case when k.retry_job_id is not null then json_build_object(
             'at', ${instant("k.applied_at")}, 'retry_job_id', k.retry_job_id) end as key_applied,
           coalesce(j.rows, '[]') as newer_jobs, coalesce(n.rows, '[]') as newer_letters
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[])
             as said(dead_letter_id, character_id, idempotency_key, issued_at)
      join persistence_job_dead_letters l on l.dead_letter_id = said.dead_letter_id
      left join characters c on c.character_id = said.character_id
      left join persistence_applied_keys k on k.idempotency_key = said.idempotency_key
      left join lateral (
        select json_agg(json_build_object('retry_job_id', retry_job_id, 'created_at', ${instant("created_at")})) as rows
          from (select retry_job_id, created_at from persistence_retry_jobs
                 where character_id = l.character_id and job_kind = l.job_kind and created_at > said.issued_at
                   and requeued_from is distinct from l.dead_letter_id
                 order by created_at desc limit ${EVIDENCE_MAX}) as newer
      ) as j on true
      left join lateral (
        select json_agg(json_build_object(
                 'dead_letter_id', dead_letter_id, 'dead_lettered_at', ${instant("dead_lettered_at")})) as rows
          from (select dead_letter_id, dead_lettered_at from persistence_job_dead_letters
                 where character_id = l.character_id and job_kind = l.job_kind and requeued_at is null
                   and dead_lettered_at > l.dead_lettered_at
                 order by dead_lettered_at desc limit ${EVIDENCE_MAX}) as newer
      ) as n on true`,
};

// $1 kinds
export const RECENT: Sql = {
  name: "facts_recent",
  text: `select job_kind, sum(done)::int as done, sum(failed)::int as failed
           from persistence_retry_minute_counts
          where job_kind = any($1::text[])
            and minute > statement_timestamp() - make_interval(mins => ${RECENT_MINUTES})
          group by job_kind`,
};
