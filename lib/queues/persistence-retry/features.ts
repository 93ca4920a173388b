import type { Pool } from "pg";
import { z } from "zod";
import { one, type Sql } from "@/lib/db/pg";

/** Which of the optional tables and columns this store has and the reading role may read, and whether it is a replica. */
export const Features = z.object({
  jobs: z.boolean(),
  letters: z.boolean(),
  requeued: z.boolean(),
  labels: z.boolean(),
  outcomes: z.boolean(),
  attempts: z.boolean(),
  names: z.boolean(),
  counts: z.boolean(),
  impacts: z.boolean(),
  suspects: z.boolean(),
  workerCounts: z.boolean(),
  replica: z.boolean(),
});
export type Features = z.infer<typeof Features>;

/** Types that what is read of a column can stand on. An enum, jsonb or a number for an id would break whole lists. */
const TYPES = {
  uuid: ["uuid"],
  text: ["text", "varchar", "bpchar", "citext"],
  time: ["timestamptz"],
  int: ["int2", "int4"],
};

type Columns = Partial<Record<keyof typeof TYPES, string>>;
const listed = (words: string[]) => words.map((word) => `'${word}'`).join(", ");

/** True when the table has each of these columns (separated by blanks) in such a type, and the role may read them all. */
function readable(table: string, columns: Columns): string {
  const kinds = (Object.keys(columns) as (keyof typeof TYPES)[]).map((kind) => ({
    types: TYPES[kind],
    names: columns[kind]?.split(" ") ?? [],
  }));
  const fits = kinds.map(({ types, names }) => `a.attname in (${listed(names)}) and t.typname in (${listed(types)})`);
  const count = kinds.reduce((sum, { names }) => sum + names.length, 0);
  return `coalesce((select bool_and(has_column_privilege(a.attrelid, a.attname, 'select')) and count(*) = ${count}
     from pg_attribute a join pg_type t on t.oid = a.atttypid
    where a.attrelid = to_regclass('${table}') and not a.attisdropped and (${fits.join(" or ")})), false)`;
}

const JOB = { uuid: "retry_job_id character_id lease_token", int: "attempt_count" };
const LETTER = { uuid: "dead_letter_id retry_job_id character_id", int: "failed_attempts", time: "dead_lettered_at" };
const ATTEMPT = { uuid: "retry_job_id", int: "attempt duration_ms", time: "started_at", text: "worker error" };
const OUTCOME = { uuid: "retry_job_id dead_letter_id next_dead_letter_id", text: "outcome", time: "settled_at" };

// `requeued`: 0011 made the tables, a later migration of the seed added the two columns of requeueing.
const READ_FEATURES: Sql = {
  name: "persistence_retry_features",
  text: `select
    ${readable("persistence_retry_jobs", { ...JOB, text: "job_kind realm_id zone_id last_error lease_owner", time: "next_attempt_at lease_expires_at created_at" })} as jobs,
    ${readable("persistence_job_dead_letters", { ...LETTER, text: "job_kind realm_id zone_id payload error" })} as letters,
    ${readable("persistence_job_dead_letters", { uuid: "requeued_retry_job_id", time: "requeued_at" })} as requeued,
    ${readable("persistence_retry_jobs", { uuid: "requeued_from", text: "source" })}
      and ${readable("persistence_job_dead_letters", { uuid: "requeued_from", text: "source session_impact" })} as labels,
    ${readable("persistence_retry_outcomes", OUTCOME)} as outcomes,
    ${readable("persistence_retry_attempts", ATTEMPT)} as attempts,
    ${readable("persistence_retry_minute_counts", { text: "job_kind", time: "minute", int: "done failed dead" })} as counts,
    ${readable("persistence_retry_jobs", { text: "session_impact" })} as impacts,
    ${readable("persistence_retry_jobs", { int: "lost_leases" })} as suspects,
    ${readable("persistence_retry_minute_counts", { text: "worker", time: "minute", int: "done failed lost_leases stale_settles" })} as "workerCounts",
    ${readable("characters", { uuid: "character_id", text: "name" })} as names,
    pg_is_in_recovery() as replica`,
};

const KEEP_MS = 30_000;
/** While something is missing it may be on its way: an engine that starts beside the desk is still migrating. */
const KEEP_LACKING_MS = 1_000;
const known = new WeakMap<Pool, { until: number; features: Promise<Features> }>();

const complete = ({ replica: _, ...has }: Features) => Object.values(has).every(Boolean);

/** Looks once, then again every half minute, every second while something is missing. Throws when unreadable. */
export function readFeatures(pool: Pool): Promise<Features> {
  const cached = known.get(pool);
  if (cached && performance.now() < cached.until) return cached.features;
  const features = one(pool, READ_FEATURES, Features);
  const entry = { until: performance.now() + KEEP_LACKING_MS, features };
  known.set(pool, entry);
  features.then(
    (found) => {
      if (complete(found)) entry.until = performance.now() + KEEP_MS;
    },
    () => known.delete(pool),
  );
  return features;
}

/** Why a table of the seed cannot be read here: one sentence for the gaps, the lists and the letter's page. */
export const notReadable = (table: "persistence_retry_jobs" | "persistence_job_dead_letters") =>
  `The table ${table} is missing here, may not be read, or has not the seed's columns.`;

/** Why no worker's settles and lost leases can be told here. */
export const UNCOUNTED = "No minute counts are kept: lost leases and what each worker settles cannot be told.";

/** Why waiting writes cannot be told apart by their impact here. */
export const NO_IMPACTS = "The rows have no session_impact: which of them degrade a session cannot be told.";

/** Sentences for what this store cannot tell. Empty: it has everything. */
export function gapsOf(features: Features): string[] {
  const gaps: string[] = [];
  if (features.replica)
    gaps.push("This Postgres is a replica: it may lag, and an outcome is known only once it is seen here.");
  if (!features.jobs) gaps.push(notReadable("persistence_retry_jobs"));
  if (!features.letters) gaps.push(notReadable("persistence_job_dead_letters"));
  if (features.letters && !features.requeued)
    gaps.push("The dead letters have no requeued_at: this store is older than requeueing.");
  if (!features.outcomes)
    gaps.push("No outcomes are kept: a requeued letter is followed until its job is gone, not until it is proved.");
  if (!features.attempts) gaps.push("No attempts are kept: the timeline shows lives, not each try.");
  if (features.jobs && !features.suspects)
    gaps.push("The rows have no lost_leases: which of them keep losing their lease cannot be told.");
  if (!features.workerCounts) gaps.push(UNCOUNTED);
  if (features.jobs && !features.impacts) gaps.push(NO_IMPACTS);
  if (!features.labels)
    gaps.push(
      "Source and session impact have no columns: they are read from the payload, on a letter's own page only.",
    );
  return gaps;
}
