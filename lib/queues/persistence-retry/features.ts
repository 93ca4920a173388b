import type { Pool } from "pg";
import { z } from "zod";
import { one, type Sql } from "@/lib/db/pg";

/** Which of the optional tables and columns this store has, and whether the reading role may read them. */
export const Features = z.object({
  jobs: z.boolean(),
  letters: z.boolean(),
  requeued: z.boolean(),
  labels: z.boolean(),
  outcomes: z.boolean(),
  attempts: z.boolean(),
  names: z.boolean(),
  counts: z.boolean(),
});
export type Features = z.infer<typeof Features>;

const readable = (table: string, ...columns: string[]) =>
  `coalesce((select bool_and(has_column_privilege(to_regclass('${table}'), a.attname, 'select')) and count(*) = ${columns.length}
     from pg_attribute a where a.attrelid = to_regclass('${table}') and not a.attisdropped
      and a.attname in (${columns.map((column) => `'${column}'`).join(", ")})), false)`;

// `requeued`: 0011 made the tables, a later migration of the seed added the two columns of requeueing.
const READ_FEATURES: Sql = {
  name: "persistence_retry_features",
  text: `select
    ${readable("persistence_retry_jobs", "retry_job_id", "job_kind", "character_id", "realm_id", "zone_id", "last_error", "attempt_count", "next_attempt_at", "lease_token", "lease_owner", "lease_expires_at", "created_at")} as jobs,
    ${readable("persistence_job_dead_letters", "dead_letter_id", "retry_job_id", "job_kind", "character_id", "realm_id", "zone_id", "payload", "failed_attempts", "error", "dead_lettered_at")} as letters,
    ${readable("persistence_job_dead_letters", "requeued_at", "requeued_retry_job_id")} as requeued,
    ${readable("persistence_retry_jobs", "source", "requeued_from")} and ${readable("persistence_job_dead_letters", "source", "session_impact", "requeued_from")} as labels,
    ${readable("persistence_retry_outcomes", "retry_job_id", "dead_letter_id", "outcome", "next_dead_letter_id", "settled_at")} as outcomes,
    ${readable("persistence_retry_attempts", "retry_job_id", "attempt", "started_at", "duration_ms", "worker", "error")} as attempts,
    ${readable("persistence_retry_minute_counts", "minute", "job_kind", "done", "failed", "dead")} as counts,
    ${readable("characters", "character_id", "name")} as names`,
};

const KEEP_MS = 30_000;
const known = new WeakMap<Pool, { readAt: number; features: Promise<Features> }>();

/** Looks once, then again every half minute: a migration of the game may add what was missing. Throws when unreadable. */
export function readFeatures(pool: Pool): Promise<Features> {
  const cached = known.get(pool);
  if (cached && performance.now() - cached.readAt < KEEP_MS) return cached.features;
  const features = one(pool, READ_FEATURES, Features);
  features.catch(() => known.delete(pool));
  known.set(pool, { readAt: performance.now(), features });
  return features;
}

/** Sentences for what this store cannot tell. Empty: it has everything. */
export function gapsOf(features: Features): string[] {
  const gaps: string[] = [];
  if (!features.jobs) gaps.push("The table persistence_retry_jobs is missing here or may not be read.");
  if (!features.letters) gaps.push("The table persistence_job_dead_letters is missing here or may not be read.");
  if (features.letters && !features.requeued)
    gaps.push("The dead letters have no requeued_at: this store is older than requeueing.");
  if (!features.outcomes)
    gaps.push("No outcomes are kept: a requeued letter is followed until its job is gone, not until it is proved.");
  if (!features.attempts) gaps.push("No attempts are kept: the timeline shows lives, not each try.");
  if (!features.labels)
    gaps.push(
      "Source and session impact have no columns: they are read from the payload, on a letter's own page only.",
    );
  return gaps;
}
