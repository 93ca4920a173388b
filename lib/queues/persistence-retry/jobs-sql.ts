import { z } from "zod";
import { ms, type Sql } from "@/lib/db/pg";
import { RetryState } from "@/lib/domain/retry";
import { shownLabel, shownText } from "@/lib/queues/masked";
import type { Features } from "./features";

/** Shown of an error in a list, in characters. Masked before it is cut: half of what is masked would be shown. */
const ERROR_LISTED_MAX = 400;
const ERROR_READ_MAX = 2_048;

// One judgement of a row's state, on the database clock: `statement_timestamp()`, as an index can serve it.
export const STATE = `case
    when j.lease_expires_at > statement_timestamp() then 'leased'
    when j.lease_expires_at is not null then 'expired'
    when j.next_attempt_at <= statement_timestamp() then 'due'
    when j.attempt_count > 0 then 'retrying'
    else 'scheduled' end`;

/** How a lease without an owner is called, here and in the engine's counts. */
export const NO_OWNER = "unknown";

export const JobRow = z
  .object({
    id: z.string(),
    cursor_at: z.string(),
    kind: z.string(),
    subject_id: z.string(),
    subject_name: z.string().nullable(),
    realm_id: z.string(),
    zone_id: z.string().nullable(),
    state: RetryState,
    attempts: z.number(),
    lease_owner: z.string().nullable(),
    lease_until_ms: z.number().nullable(),
    next_attempt_ms: z.number(),
    created_ms: z.number(),
    last_error: z.string().nullable(),
    requeued_from: z.string().nullable(),
    impact: z.string().nullable(),
    lost_leases: z.number().nullable(),
    at_ms: z.number(),
  })
  .transform((row) => ({
    id: row.id,
    cursorAt: row.cursor_at,
    atMs: row.at_ms,
    kind: shownText(row.kind),
    subjectId: row.subject_id,
    subjectName: shownLabel(row.subject_name),
    realmId: shownText(row.realm_id),
    zoneId: shownLabel(row.zone_id),
    state: row.state,
    attempts: row.attempts,
    lease: row.lease_until_ms === null ? null : { owner: row.lease_owner ?? NO_OWNER, untilMs: row.lease_until_ms },
    nextAttemptMs: row.next_attempt_ms,
    createdMs: row.created_ms,
    lastError: shownLabel(row.last_error)?.slice(0, ERROR_LISTED_MAX) ?? null,
    requeuedFrom: row.requeued_from,
    impact: shownLabel(row.impact),
    lostLeases: row.lost_leases,
  }));

/** The group that a row's impact belongs to; where the rows have none, all are `not_recorded`. */
export const impactOf = ({ impacts }: Features) =>
  impacts
    ? `case when j.session_impact is null then 'not_recorded'
        when j.session_impact in ('None', 'SessionDegraded', 'DisconnectRequired') then j.session_impact
        else 'other' end`
    : "'not_recorded'";

/** $1 states (text[]) · $2 kind · $3 owner · $4 character · $5 lowest attempts · $6 impact; null: any. */
const filterSql = (features: Features) => `($1::text[] is null or ${STATE} = any($1))
    and ($2::text is null or j.job_kind = $2)
    and ($3::text is null or j.lease_owner = $3
      or ($3 = '${NO_OWNER}' and j.lease_owner is null and j.lease_expires_at is not null))
    and ($4::uuid is null or j.character_id = $4)
    and ($5::int is null or j.attempt_count >= $5)
    and ($6::text is null or ${impactOf(features)} = $6)`;

/** Oldest first. The filter's parameters, then $7 cursor time · $8 cursor id (null: from the end it starts at) · $9 limit. */
export function listJobsSql(features: Features, backwards: boolean): Sql {
  const [than, order] = backwards ? ["<", "desc"] : [">", "asc"];
  // The page's rows are picked first: what is written of them would else be worked out for every row that waits.
  const columns = [
    ...["retry_job_id", "created_at", "job_kind", "character_id", "realm_id", "zone_id", "attempt_count"],
    ...["lease_owner", "lease_expires_at", "next_attempt_at", "last_error"],
    ...(features.labels ? ["requeued_from"] : []),
    ...(features.impacts ? ["session_impact"] : []),
    ...(features.suspects ? ["lost_leases"] : []),
  ].map((name) => `j.${name}`);
  return {
    name: `persistence_retry_jobs_${features.labels}_${features.names}_${features.impacts}_${features.suspects}_${order}`,
    text: `select j.retry_job_id::text as id, j.created_at::text as cursor_at, j.job_kind as kind,
        j.character_id::text as subject_id, ${features.names ? "c.name" : "null::text"} as subject_name,
        j.realm_id, j.zone_id, ${STATE} as state, j.attempt_count as attempts, j.lease_owner,
        ${ms("j.lease_expires_at")} as lease_until_ms, ${ms("j.next_attempt_at")} as next_attempt_ms,
        ${ms("j.created_at")} as created_ms, left(j.last_error, ${ERROR_READ_MAX}) as last_error,
        ${features.labels ? "j.requeued_from::text" : "null::text"} as requeued_from,
        ${features.impacts ? "left(j.session_impact, 100)" : "null::text"} as impact,
        ${features.suspects ? "j.lost_leases" : "null::int"} as lost_leases,
        ${ms("statement_timestamp()")} as at_ms
      from (select ${columns.join(", ")} from persistence_retry_jobs j
        where ${filterSql(features)}
          and ($7::timestamptz is null or (j.created_at, j.retry_job_id) ${than} ($7, $8::uuid))
        order by j.created_at ${order}, j.retry_job_id ${order}
        limit $9) as j
      ${features.names ? "left join characters c on c.character_id = j.character_id" : ""}
      order by j.created_at ${order}, j.retry_job_id ${order}`,
  };
}

export const StateCountRow = z.object({ state: RetryState, jobs: z.number() });

/** States that one index tells from the others: a count of them stops together. */
const COUNTED = {
  held: "j.lease_expires_at is not null",
  due: "j.lease_expires_at is null and j.next_attempt_at <= statement_timestamp()",
  later: "j.lease_expires_at is null and j.next_attempt_at > statement_timestamp()",
};

/** The filter's parameters, then $7 one more than is counted of leased and expired, of due, and of what comes later. */
export const countJobsSql = (features: Features): Sql => ({
  name: `persistence_retry_job_counts_${features.impacts}`,
  text: `select state, count(*)::int as jobs from (${Object.values(COUNTED)
    .map(
      (only) =>
        `(select ${STATE} as state from persistence_retry_jobs j where ${only} and ${filterSql(features)} limit $7)`,
    )
    .join(" union all ")}) as counted group by 1`,
});
