import { z } from "zod";
import { ms, type Sql } from "@/lib/db/pg";
import { LetterState } from "@/lib/domain/dead-letter";
import type { Features } from "./features";

/**
 * What a letter is now, by what the store proves. Its outcome where one is kept; else a later letter of the requeued
 * job, else the job itself, else nothing that tells. Where the jobs may not be read, none can be said to have left.
 */
function stateSql(features: Features): string {
  if (!features.requeued) return "'active'";
  const kept = features.outcomes
    ? "when (select o.outcome from persistence_retry_outcomes o where o.retry_job_id = l.requeued_retry_job_id) in ('recovered', 'superseded', 'died_again') then (select o.outcome from persistence_retry_outcomes o where o.retry_job_id = l.requeued_retry_job_id)"
    : "";
  return `case
    when l.requeued_at is null then 'active'
    ${kept}
    ${features.jobs ? "when exists (select from persistence_retry_jobs j where j.retry_job_id = l.requeued_retry_job_id) then 'awaiting'" : ""}
    when exists (select from persistence_job_dead_letters n where n.retry_job_id = l.requeued_retry_job_id) then 'died_again'
    else '${features.jobs ? "left_unproved" : "awaiting"}' end`;
}

/** As it is stored: nothing of it is masked yet. */
export const LetterRow = z
  .object({
    id: z.string(),
    job_id: z.string(),
    kind: z.string(),
    subject_id: z.string(),
    subject_name: z.string().nullable(),
    realm_id: z.string(),
    zone_id: z.string().nullable(),
    attempts: z.number(),
    died_ms: z.number(),
    state: LetterState,
    requeued_ms: z.number().nullable(),
    requeued_job_id: z.string().nullable(),
    at_ms: z.number(),
    error: z.string(),
    error_bytes: z.number(),
    payload: z.string().nullable(),
    payload_bytes: z.number(),
    source: z.string().nullable(),
    impact: z.string().nullable(),
    requeued_from: z.string().nullable(),
  })
  .transform((row) => ({
    queue: "persistence-retry",
    id: row.id,
    jobId: row.job_id,
    kind: row.kind,
    subjectId: row.subject_id,
    subjectName: row.subject_name,
    realmId: row.realm_id,
    zoneId: row.zone_id,
    attempts: row.attempts,
    error: row.error,
    diedMs: row.died_ms,
    state: row.state,
    requeuedMs: row.requeued_ms,
    requeuedJobId: row.requeued_job_id,
    atMs: row.at_ms,
    errorBytes: row.error_bytes,
    payload: row.payload,
    payloadBytes: row.payload_bytes,
    source: row.source,
    impact: row.impact,
    requeuedFrom: row.requeued_from,
  }));

/** $1 letter id · $2 most characters of the error · $3 most bytes of a payload that is read at all. */
export function findLetterSql(features: Features): Sql {
  const { requeued, outcomes, labels, names, jobs } = features;
  const label = (column: string) => (labels ? `l.${column}::text` : "null::text");
  return {
    name: `persistence_letter_${requeued}_${outcomes}_${labels}_${names}_${jobs}`,
    text: `select l.dead_letter_id::text as id, l.retry_job_id::text as job_id, l.job_kind as kind,
        l.character_id::text as subject_id, ${names ? "c.name" : "null::text"} as subject_name, l.realm_id, l.zone_id,
        l.failed_attempts as attempts, ${ms("l.dead_lettered_at")} as died_ms, ${stateSql(features)} as state,
        ${requeued ? ms("l.requeued_at") : "null::float8"} as requeued_ms,
        ${requeued ? "l.requeued_retry_job_id::text" : "null::text"} as requeued_job_id,
        ${ms("statement_timestamp()")} as at_ms, left(l.error, $2) as error, octet_length(l.error) as error_bytes,
        case when octet_length(l.payload) <= $3 then l.payload end as payload, octet_length(l.payload) as payload_bytes,
        ${label("source")} as source, ${label("session_impact")} as impact, ${label("requeued_from")} as requeued_from
      from persistence_job_dead_letters l ${names ? "left join characters c on c.character_id = l.character_id" : ""}
      where l.dead_letter_id = $1::uuid`,
  };
}
