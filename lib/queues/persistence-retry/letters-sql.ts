import { z } from "zod";
import { ms, type Sql } from "@/lib/db/pg";
import { LetterState } from "@/lib/domain/dead-letter";
import { maskError } from "@/lib/domain/mask-error";
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

const variant = (features: Features) =>
  `${features.requeued}_${features.outcomes}_${features.labels}_${features.names}_${features.jobs}`;

const summaryColumns = (features: Features) => `
    l.dead_letter_id::text as id, l.retry_job_id::text as job_id, l.dead_lettered_at::text as cursor_at,
    l.job_kind as kind, l.character_id::text as subject_id, ${features.names ? "c.name" : "null::text"} as subject_name,
    l.realm_id, l.zone_id, l.failed_attempts as attempts, ${ms("l.dead_lettered_at")} as died_ms,
    ${stateSql(features)} as state,
    ${features.requeued ? ms("l.requeued_at") : "null::float8"} as requeued_ms,
    ${features.requeued ? "l.requeued_retry_job_id::text" : "null::text"} as requeued_job_id,
    ${ms("statement_timestamp()")} as at_ms`;

const names = (features: Features) =>
  features.names ? "left join characters c on c.character_id = l.character_id" : "";

const summaryShape = {
  id: z.string(),
  job_id: z.string(),
  cursor_at: z.string(),
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
};

type SummaryRow = z.output<z.ZodObject<typeof summaryShape>>;

const toSummary = (row: SummaryRow) => ({
  queue: "persistence-retry",
  id: row.id,
  jobId: row.job_id,
  kind: row.kind,
  subjectId: row.subject_id,
  subjectName: row.subject_name,
  realmId: row.realm_id,
  zoneId: row.zone_id,
  attempts: row.attempts,
  error: maskError(row.error),
  diedMs: row.died_ms,
  state: row.state,
  requeuedMs: row.requeued_ms,
  requeuedJobId: row.requeued_job_id,
});

export const LetterRow = z
  .object(summaryShape)
  .transform((row) => ({ ...toSummary(row), cursorAt: row.cursor_at, atMs: row.at_ms }));

/**
 * $1 states (text[]) · $2 kind · $3 character · $4 realm · $5 an id of a letter, a job or a character · $6 words of the
 * error, or a character's name; null: any.
 */
const filterSql = (features: Features) => `($1::text[] is null or ${stateSql(features)} = any($1))
    and ($2::text is null or l.job_kind = $2)
    and ($3::uuid is null or l.character_id = $3)
    and ($4::text is null or l.realm_id = $4)
    and ($5::uuid is null or l.dead_letter_id = $5 or l.retry_job_id = $5 or l.character_id = $5)
    and ($6::text is null or position(lower($6) in lower(left(l.error, 2048))) > 0
      ${features.names ? "or lower(c.name) = lower($6)" : ""})`;

/** Newest first. The filter's parameters, then $7 cursor time · $8 cursor id (null: from the end it starts at) · $9 limit. */
export function listLettersSql(features: Features, backwards: boolean): Sql {
  const [than, order] = backwards ? [">", "asc"] : ["<", "desc"];
  return {
    name: `persistence_letters_${variant(features)}_${order}`,
    text: `select ${summaryColumns(features)}, left(l.error, 400) as error
      from persistence_job_dead_letters l ${names(features)}
      where ${filterSql(features)}
        and ($7::timestamptz is null or (l.dead_lettered_at, l.dead_letter_id) ${than} ($7, $8::uuid))
      order by l.dead_lettered_at ${order}, l.dead_letter_id ${order}
      limit $9`,
  };
}

/** The filter's parameters, then $7 the cap: it counts no further than one above it. */
export function countLettersSql(features: Features): Sql {
  return {
    name: `persistence_letters_count_${variant(features)}`,
    text: `select count(*)::int as letters from (
      select 1 from persistence_job_dead_letters l ${names(features)} where ${filterSql(features)} limit $7::int + 1) as found`,
  };
}

export const LetterDetailRow = z
  .object({
    ...summaryShape,
    error_bytes: z.number(),
    payload: z.string().nullable(),
    payload_bytes: z.number(),
    source: z.string().nullable(),
    impact: z.string().nullable(),
    requeued_from: z.string().nullable(),
  })
  .transform((row) => ({
    ...toSummary(row),
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
  const label = (column: string, type = "text") => (features.labels ? `l.${column}::text` : `null::${type}`);
  return {
    name: `persistence_letter_${variant(features)}`,
    text: `select ${summaryColumns(features)}, left(l.error, $2) as error, octet_length(l.error) as error_bytes,
        case when octet_length(l.payload) <= $3 then l.payload end as payload, octet_length(l.payload) as payload_bytes,
        ${label("source")} as source, ${label("session_impact")} as impact, ${label("requeued_from")} as requeued_from
      from persistence_job_dead_letters l ${names(features)}
      where l.dead_letter_id = $1::uuid`,
  };
}
