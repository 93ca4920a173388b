import { z } from "zod";
import type { Sql } from "@/lib/db/pg";
import type { Features } from "./features";

/**
 * A transaction that kills a letter commits within this, or it is found by the walk over all ids: the engine's own is
 * ended after 8 s.
 */
const OVERLAP = "interval '60 s'";

const KEPT_SINCE = (months: string) =>
  `(date_trunc('month', statement_timestamp() at time zone 'utc') - make_interval(months => ${months})) at time zone 'utc'`;

const KEY = `l.dead_letter_id::text as letter_id, l.dead_lettered_at::text as died_at,
      octet_length(coalesce(l.payload, ''))::float8 + octet_length(coalesce(l.error, '')) as bytes`;

const keyShape = { letter_id: z.string(), died_at: z.string(), bytes: z.number() };
const toKey = (row: { letter_id: string; died_at: string; bytes: number }) => ({
  letterId: row.letter_id,
  diedAt: row.died_at,
  generation: 1,
  bytes: row.bytes,
});

/** $1 time of death · $2 letter id · $3 limit · $4 months. */
export const LIST_AFTER: Sql = {
  name: "persistence_archive_after",
  text: `select ${KEY}, l.dead_lettered_at < statement_timestamp() - ${OVERLAP} as settled
      from persistence_job_dead_letters l
     where (l.dead_lettered_at, l.dead_letter_id) > ($1::timestamptz, $2::uuid)
       and l.dead_lettered_at >= ${KEPT_SINCE("$4::int")}
     order by l.dead_lettered_at, l.dead_letter_id limit $3`,
};
export const AfterRow = z
  .object({ ...keyShape, settled: z.boolean() })
  .transform((row) => ({ ...toKey(row), settled: row.settled }));

/** $1 letter id · $2 limit · $3 months. `kept`: it belongs into the archive. */
export function listByIdSql({ requeued }: Features): Sql {
  return {
    name: `persistence_archive_by_id_${requeued}`,
    text: `select ${KEY}, ${requeued ? `(l.requeued_at is null or l.dead_lettered_at >= ${KEPT_SINCE("$3::int")})` : "$3::int is not null"} as kept
      from persistence_job_dead_letters l where l.dead_letter_id > $1::uuid order by l.dead_letter_id limit $2`,
  };
}
export const ByIdRow = z
  .object({ ...keyShape, kept: z.boolean() })
  .transform((row) => ({ ...toKey(row), kept: row.kept }));

/** $1 letter ids. */
export const FIND_KEYS: Sql = {
  name: "persistence_archive_keys",
  text: `select ${KEY} from persistence_job_dead_letters l where l.dead_letter_id = any($1::uuid[])`,
};
export const KeyRow = z.object(keyShape).transform(toKey);

/**
 * $1 letter ids · $2 most characters of an error · $3 most bytes of a payload that is read at all. Of a larger one only
 * what stands beside its session token, so that the token is known where the error quotes it.
 */
export function readLettersSql({ names, labels, requeued }: Features): Sql {
  const label = (column: string) => (labels ? `l.${column}::text` : "null::text");
  return {
    name: `persistence_archive_letters_${names}_${labels}_${requeued}`,
    text: `select l.dead_letter_id::text as letter_id, l.dead_lettered_at::text as died_at, l.retry_job_id::text as job_id,
        left(l.job_kind, 256) as kind, l.character_id::text as subject_id,
        ${names ? "c.name" : "null::text"} as subject_name, l.realm_id, l.zone_id, l.failed_attempts as attempts,
        left(coalesce(l.error, ''), $2) as error, octet_length(coalesce(l.error, '')) as error_bytes,
        case when octet_length(l.payload) <= $3 then l.payload end as payload,
        case when octet_length(l.payload) > $3
          then substr(l.payload, nullif(position('"session_token"' in l.payload), 0), 4096) end as beside_token,
        octet_length(coalesce(l.payload, '')) as payload_bytes,
        encode(sha256(convert_to(coalesce(l.payload, ''), 'UTF8')), 'hex') as payload_hash,
        ${label("source")} as source, ${label("session_impact")} as impact, ${label("requeued_from")} as requeued_from,
        ${requeued ? "l.requeued_at is not null" : "false"} as requeued
      from persistence_job_dead_letters l ${names ? "left join characters c on c.character_id = l.character_id" : ""}
      where l.dead_letter_id = any($1::uuid[])`,
  };
}

export const LetterToKeepRow = z.object({
  letter_id: z.string(),
  died_at: z.string(),
  job_id: z.string().nullable(),
  kind: z.string(),
  subject_id: z.string().nullable(),
  subject_name: z.string().nullable(),
  realm_id: z.string().nullable(),
  zone_id: z.string().nullable(),
  attempts: z.number(),
  error: z.string(),
  error_bytes: z.number(),
  payload: z.string().nullable(),
  beside_token: z.string().nullable(),
  payload_bytes: z.number(),
  payload_hash: z.string(),
  source: z.string().nullable(),
  impact: z.string().nullable(),
  requeued_from: z.string().nullable(),
  requeued: z.boolean(),
});
export type LetterToKeep = z.output<typeof LetterToKeepRow>;
