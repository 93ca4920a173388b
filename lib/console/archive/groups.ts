import type { Pool } from "pg";
import { z } from "zod";
import { many, ms } from "@/lib/db/pg";
import { ArchivedState, type ArchiveFilter } from "@/lib/domain/archived-letter";
import { shownText } from "@/lib/queues/masked";
import { filterSql } from "./filter-sql";
import { searchOf } from "./search";

/** More letters than this are not read for a page; it says that it is of the newest. */
export const GROUPED_MAX = 100_000;
const GROUPS_MAX = 100;
const BINS = 44;

export type StateCounts = Record<ArchivedState, number>;

/** Letters of one cause within a view. Times in ms since 1970. */
export type GroupInView = z.output<typeof GroupRow>;

/** The groups of a view, the largest first. `total`: of how many they are. */
export type GroupsView = {
  groups: GroupInView[];
  total: number;
  /** Letters that were grouped; `capped`: there are older ones. */
  letters: number;
  capped: boolean;
};

/** What `bins` of a group cover, ms since 1970. */
export type Span = { fromMs: number; toMs: number };

export const stateCounts = ArchivedState.options
  .map((state) => `count(*) filter (where f.state = '${state}')::int as ${state}`)
  .join(", ");
export const stateShape = Object.fromEntries(ArchivedState.options.map((state) => [state, z.number()])) as Record<
  ArchivedState,
  z.ZodNumber
>;

const GroupRow = z
  .object({
    group_id: z.string(),
    queue: z.string(),
    kind: z.string(),
    title: z.string(),
    first_seen_ms: z.number(),
    regressed_ms: z.number().nullable(),
    letters: z.number(),
    first_ms: z.number(),
    last_ms: z.number(),
    subjects: z.number(),
    bins: z.array(z.number()).nullable(),
    heights: z.array(z.number()).nullable(),
    total: z.number(),
    all_letters: z.number(),
    ...stateShape,
  })
  .transform((row) => {
    const counts = Object.fromEntries(ArchivedState.options.map((state) => [state, row[state]])) as StateCounts;
    const bins = Array.from({ length: BINS }, () => 0);
    for (const [at, bin] of (row.bins ?? []).entries())
      if (bin >= 1 && bin <= BINS) bins[bin - 1] = row.heights?.[at] ?? 0;
    return {
      groupId: row.group_id,
      queue: row.queue,
      kind: shownText(row.kind),
      title: shownText(row.title),
      /** Ever, not only in this view. */
      everFirstMs: row.first_seen_ms,
      regressedMs: row.regressed_ms,
      letters: row.letters,
      firstMs: row.first_ms,
      lastMs: row.last_ms,
      subjects: row.subjects,
      counts,
      bins,
      total: row.total,
      allLetters: row.all_letters,
    };
  });

/**
 * The letters of a filter by cause, with a sparkline over `span`. Reads no more than the newest `max` of them.
 * `search`: what the page asked already.
 */
export async function readGroups(
  own: Pool,
  filter: ArchiveFilter,
  span: Span,
  { max = GROUPED_MAX, search = searchOf(own, filter.text) } = {},
): Promise<GroupsView> {
  const { named, from, where, values } = filterSql(filter, await search);
  const at = (offset: number) => `$${values.length + offset}`;
  const sql = {
    name: named("groups"),
    text: `with found as materialized (
        select l.group_id, l.died_at, l.subject_id, l.state from ${from} where ${where}
        order by l.died_at desc, l.letter_id desc limit ${at(1)}::int + 1),
      f as materialized (select group_id, died_at, subject_id, state from found limit ${at(1)}::int),
      grouped as (
        select f.group_id, count(*)::int as letters, min(f.died_at) as first_at, max(f.died_at) as last_at, ${stateCounts}
        from f group by f.group_id),
      shown as (
        select g.*, count(*) over ()::int as total, (select count(*)::int from found) as all_letters
        from grouped g order by g.letters desc, g.last_at desc, g.group_id limit ${GROUPS_MAX}),
      subjects as (
        select d.group_id, count(*)::int as subjects from (
          select f.group_id, f.subject_id from f where f.subject_id is not null and f.group_id in (select group_id from shown)
          group by f.group_id, f.subject_id) as d group by d.group_id),
      binned as (
        select b.group_id, array_agg(b.bin) as bins, array_agg(b.letters) as heights from (
          select f.group_id, count(*)::int as letters,
            floor((extract(epoch from f.died_at)::float8 * 1000 - ${at(2)}::float8) / (${at(3)}::float8 - ${at(2)}::float8) * ${BINS})::int + 1 as bin
          from f where f.died_at >= to_timestamp(${at(2)}::float8 / 1000) and f.died_at < to_timestamp(${at(3)}::float8 / 1000)
            and f.group_id in (select group_id from shown)
          group by 1, 3) as b group by b.group_id)
      select s.group_id::text, e.queue, e.kind, e.title, ${ms("e.first_seen_at")} as first_seen_ms,
        ${ms("e.regressed_at")} as regressed_ms, s.letters, ${ms("s.first_at")} as first_ms, ${ms("s.last_at")} as last_ms,
        coalesce(u.subjects, 0) as subjects, b.bins, b.heights, s.total, s.all_letters,
        ${ArchivedState.options.map((state) => `s.${state}`).join(", ")}
      from shown s join backstop.error_groups e on e.group_id = s.group_id
        left join subjects u on u.group_id = s.group_id left join binned b on b.group_id = s.group_id
      order by s.letters desc, s.last_at desc, s.group_id`,
  };
  const groups = await many(own, sql, GroupRow, [...values, max, span.fromMs, Math.max(span.toMs, span.fromMs + 1)]);
  const [{ total = 0, allLetters = 0 } = {}] = groups;
  return { groups, total, letters: Math.min(allLetters, max), capped: allLetters > max };
}
