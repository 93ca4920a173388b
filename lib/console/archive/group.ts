import type { Pool } from "pg";
import { z } from "zod";
import { many, maybe, ms, type Sql } from "@/lib/db/pg";
import { ArchivedState } from "@/lib/domain/archived-letter";
import { shownLabel, shownText } from "@/lib/queues/masked";
import { GROUPED_MAX, type StateCounts, stateCounts, stateShape } from "./groups";

/** One error group over its whole life. Times in ms since 1970. */
export type Group = z.output<typeof GroupRow>;

/** Of its newest 100,000 letters, which its page says. */
const LETTERS = `f as materialized (
  select l.state, l.died_at, l.requeued_at, l.resolved_at, l.subject_id, l.subject_name, l.labels ->> 'realm' as realm,
    l.labels ->> 'zone' as zone
  from backstop.dead_letters l where l.group_id = $1::bigint
  order by l.died_at desc, l.letter_id desc limit ${GROUPED_MAX})`;

const orNull = z.number().nullable();
const GroupRow = z
  .object({
    group_id: z.string(),
    queue: z.string(),
    kind: z.string(),
    title: z.string(),
    first_ms: z.number(),
    last_ms: z.number(),
    regressed_ms: orNull,
    letters: z.number(),
    subjects: z.number(),
    requeued_ms: orNull,
    resolved_ms: orNull,
    ...stateShape,
  })
  .transform((row) => ({
    groupId: row.group_id,
    queue: row.queue,
    kind: shownText(row.kind),
    title: shownText(row.title),
    everFirstMs: row.first_ms,
    lastMs: row.last_ms,
    regressedMs: row.regressed_ms,
    letters: row.letters,
    capped: row.letters >= GROUPED_MAX,
    subjects: row.subjects,
    /** When a letter of it was last put back, and last resolved. */
    requeuedMs: row.requeued_ms,
    resolvedMs: row.resolved_ms,
    counts: Object.fromEntries(ArchivedState.options.map((state) => [state, row[state]])) as StateCounts,
  }));

/** $1 group */
const READ: Sql = {
  name: "archive_group",
  text: `with ${LETTERS}
    select g.group_id::text, g.queue, g.kind, g.title, ${ms("g.first_seen_at")} as first_ms,
      ${ms("g.last_seen_at")} as last_ms, ${ms("g.regressed_at")} as regressed_ms, s.letters, s.subjects, s.requeued_ms,
      s.resolved_ms, ${ArchivedState.options.map((state) => `s.${state}`).join(", ")}
    from backstop.error_groups g, (
      select count(*)::int as letters, count(distinct f.subject_id)::int as subjects,
        ${ms("max(f.requeued_at)")} as requeued_ms, ${ms("max(f.resolved_at)")} as resolved_ms, ${stateCounts} from f) s
    where g.group_id = $1::bigint`,
};

/** A group by its number; null: there is none. */
export function findGroup(own: Pool, groupId: string): Promise<Group | null> {
  return maybe(own, READ, GroupRow, [groupId]);
}

export type Hit = { of: "subject" | "realm" | "zone"; value: string; name: string | null; letters: number };

/** $1 group · $2 how many of each */
const HIT: Sql = {
  name: "archive_group_hit",
  text: `with ${LETTERS}, each as (
      select 'subject' as of, subject_id as value, max(subject_name) as name, count(*)::int as letters from f group by 2
      union all select 'realm', realm, null, count(*)::int from f group by 2
      union all select 'zone', zone, null, count(*)::int from f group by 2),
    ranked as (select of, value, name, letters, row_number() over (partition by of order by letters desc, value) as place
      from each where value is not null)
    select of, value, name, letters from ranked where place <= $2 order by of, place`,
};
const HitRow = z
  .object({
    of: z.enum(["subject", "realm", "zone"]),
    value: z.string(),
    name: z.string().nullable(),
    letters: z.number(),
  })
  .transform((row) => ({ ...row, value: shownText(row.value), name: shownLabel(row.name) }));

/** Whom a group hit most: characters, realms and zones, some of each. */
export function listHit(own: Pool, groupId: string, ofEach = 5): Promise<Hit[]> {
  return many(own, HIT, HitRow, [groupId, ofEach]);
}
