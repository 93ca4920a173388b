import type { Pool } from "pg";
import { z } from "zod";
import { one } from "@/lib/db/pg";
import type { ArchiveFilter } from "@/lib/domain/archived-letter";
import type { CappedCount } from "@/lib/queues/queue";
import { filterSql } from "./filter-sql";
import { searchOf } from "./search";

/** Counting stops here and says so: an exact count of ten million rows would cost more than it is worth. */
export const COUNT_MAX = 100_000;

const CountRow = z.object({ letters: z.number() });

/** How many archived letters a filter has: exact up to `max`, then `capped`. `search`: what the page asked already. */
export async function countArchived(
  own: Pool,
  filter: ArchiveFilter,
  { max = COUNT_MAX, search = searchOf(own, filter.text) } = {},
): Promise<CappedCount> {
  const { named, from, where, values } = filterSql(filter, await search);
  const sql = {
    name: named("count"),
    text: `select count(*)::int as letters
      from (select 1 from ${from} where ${where} limit $${values.length + 1}::int + 1) as found`,
  };
  const { letters } = await one(own, sql, CountRow, [...values, max]);
  return { count: Math.min(letters, max), capped: letters > max };
}

/** How many causes the letters of a filter died of; of its newest 100,000 letters alone, as `readGroups` reads them. */
export async function countGroups(
  own: Pool,
  filter: ArchiveFilter,
  search = searchOf(own, filter.text),
): Promise<number> {
  const { named, from, where, values } = filterSql(filter, await search);
  const sql = {
    name: named("count_groups"),
    text: `select count(distinct found.group_id)::int as letters
      from (select l.group_id from ${from} where ${where}
        order by l.died_at desc, l.letter_id desc limit $${values.length + 1}) as found`,
  };
  return (await one(own, sql, CountRow, [...values, COUNT_MAX])).letters;
}

/** How many were archived after `sinceMs` (ms since 1970), no more than `max`: what a page that stands still lacks. */
export async function countNew(own: Pool, filter: ArchiveFilter, sinceMs: number, max = 1_000): Promise<number> {
  const { named, from, where, values } = filterSql(filter, await searchOf(own, filter.text));
  const since = `to_timestamp($${values.length + 1}::float8 / 1000)`;
  // Whoever died longer ago was brought in late, and stands further down than a page that shows the newest.
  const recent = `l.archived_at > ${since} and l.died_at > ${since} - interval '1 hour'`;
  const sql = {
    name: named("count_new"),
    text: `select count(*)::int as letters
      from (select 1 from ${from} where ${where} and ${recent} limit $${values.length + 2}) as found`,
  };
  return (await one(own, sql, CountRow, [...values, sinceMs, max])).letters;
}
