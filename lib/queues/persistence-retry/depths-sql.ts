import { z } from "zod";
import { ms, type Sql } from "@/lib/db/pg";
import { type AgeCounts, COUNT_MAX, type CountName, type Depths } from "@/lib/domain/queue";
import type { Features } from "./features";

/** One more than is told: a count that reaches it stopped there. */
const STOP = COUNT_MAX + 1;

/** Rows under each age, each count holding the one before. `only` narrows the rows. A bound is a select of its own: worked out once, not for each row. */
const agesSql = (only: string) =>
  ["10 seconds", "1 minute", "5 minutes", "30 minutes", ""]
    .map((age) => {
      const young = age && `created_at > (select statement_timestamp() - interval '${age}')`;
      const filter = [only, young].filter(Boolean).join(" and ");
      return `count(*)${filter && ` filter (where ${filter})`}`;
    })
    .join(", ");

/**
 * Every count and the oldest age in one bounded reading: each part stops at its cap, walking the index that claims and
 * leases use, so that a million rows cost what a hundred thousand do. "Due" may be taken now, so an expired lease
 * counts for the ages too; an age is since the work was queued, as a player feels it, not since its last try.
 */
export function depthsSql(features: Features): Sql {
  const { letters, requeued } = features;
  const dead = letters
    ? `(select count(*)::int from (select 1 from persistence_job_dead_letters
        ${requeued ? "where requeued_at is null" : ""} limit ${STOP}) as letters)`
    : "null::int";
  const since = (column: string) => `greatest(0, ${ms("statement_timestamp()")} - ${ms(column)})`;
  return {
    name: `persistence_retry_depths_${letters}_${requeued}`,
    text: `select ${ms("statement_timestamp()")} as at_ms, due.rows as due, later.rows as later, later.retrying,
        held.rows as held, held.leased, ${dead} as dead, due.ages as due_ages, held.ages as expired_ages,
        ${since("least(due.oldest, held.oldest)")} as oldest_due_ms, ${since("due.first")} as untaken_ms
      from (select count(*)::int as rows, min(created_at) as oldest, min(next_attempt_at) as first,
            array[${agesSql("")}]::int[] as ages
          from (select created_at, next_attempt_at from persistence_retry_jobs
            where lease_expires_at is null and next_attempt_at <= statement_timestamp()
            order by next_attempt_at limit ${STOP}) as rows) as due,
        (select count(*)::int as rows, count(*) filter (where attempt_count > 0)::int as retrying
          from (select attempt_count from persistence_retry_jobs
            where lease_expires_at is null and next_attempt_at > statement_timestamp()
            order by next_attempt_at limit ${STOP}) as rows) as later,
        (select count(*)::int as rows, count(*) filter (where not ended)::int as leased,
            min(created_at) filter (where ended) as oldest, array[${agesSql("ended")}]::int[] as ages
          from (select created_at, lease_expires_at <= statement_timestamp() as ended from persistence_retry_jobs
            where lease_expires_at is not null order by lease_expires_at limit ${STOP}) as rows) as held`,
  };
}

const Ages = z.array(z.number()).length(5);

export const DepthsRow = z
  .object({
    at_ms: z.number(),
    due: z.number(),
    later: z.number(),
    retrying: z.number(),
    held: z.number(),
    leased: z.number(),
    dead: z.number().nullable(),
    due_ages: Ages,
    expired_ages: Ages,
    oldest_due_ms: z.number().nullable(),
    untaken_ms: z.number().nullable(),
  })
  .transform((row): Depths => {
    const capped: CountName[] = [
      ...(row.due > COUNT_MAX ? (["due"] as const) : []),
      ...(row.later > COUNT_MAX ? (["scheduled", "retrying"] as const) : []),
      ...(row.held > COUNT_MAX ? (["leased", "expired"] as const) : []),
      ...((row.dead ?? 0) > COUNT_MAX ? (["dead"] as const) : []),
    ];
    const told = (count: number) => Math.min(count, COUNT_MAX);
    const under = row.due_ages.map((count, index) => count + (row.expired_ages[index] ?? 0));
    return {
      atMs: row.at_ms,
      due: told(row.due),
      scheduled: told(row.later - row.retrying),
      retrying: told(row.retrying),
      leased: told(row.leased),
      expired: told(row.held - row.leased),
      processing: null,
      dead: row.dead === null ? null : told(row.dead),
      oldestDueMs: row.oldest_due_ms,
      ages: under.map((count, index) => count - (under[index - 1] ?? 0)) as AgeCounts,
      untakenMs: row.untaken_ms,
      ...(capped.length > 0 ? { capped } : {}),
    };
  });
