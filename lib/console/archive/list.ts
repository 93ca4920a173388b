import type { Pool } from "pg";
import { many } from "@/lib/db/pg";
import type { ArchiveFilter } from "@/lib/domain/archived-letter";
import { type Cursor, decodeTextCursor, pageOf } from "@/lib/queues/cursor";
import type { PageRequest } from "@/lib/queues/queue";
import { filterSql, type Given } from "./filter-sql";
import { type ArchivedLetter, ArchivedLetterRow, letterColumns } from "./letter-row";
import { type Search, searchOf } from "./search";

export type ArchivePage = { rows: ArchivedLetter[]; next: string | null; previous: string | null };

/** Days from the page's edge in which words are looked for first: words that are frequent fill a page from a few. */
const NEAR_DAYS = 3;

/**
 * A page of the archived letters of a filter, the newest first, by keyset on (died_at, letter_id). `searched`: what the
 * page asked already.
 */
export async function listArchived(
  own: Pool,
  filter: ArchiveFilter,
  request: PageRequest,
  searched = searchOf(own, filter.text),
): Promise<ArchivePage> {
  const { after, before, limit } = request;
  const cursor = decodeTextCursor(before) ?? decodeTextCursor(after);
  const backwards = cursor !== null && decodeTextCursor(before) !== null;
  const search = await searched;
  const windows = search?.places.includes("words") ? [NEAR_DAYS, null] : [null];
  let found: ArchivedLetter[] = [];
  for (const days of windows) {
    found = await readRows(own, { filter, search, cursor, backwards, limit: limit + 1, days });
    // In order from the edge on: what would fill the page from further away stands behind all of these.
    if (found.length > limit) break;
  }
  return pageOf(found, limit, { backwards, fromCursor: cursor !== null });
}

type Asked = {
  filter: ArchiveFilter;
  search: Search | null;
  cursor: Cursor | null;
  backwards: boolean;
  limit: number;
  /** Looks no further than so many days from the page's edge; null: at all. */
  days: number | null;
};

function readRows(own: Pool, { filter, search, cursor, backwards, limit, days }: Asked): Promise<ArchivedLetter[]> {
  const within = (given: Given) => {
    const edge = `coalesce(${given("edge", cursor?.[0] ?? null)}::timestamptz, statement_timestamp())`;
    return backwards
      ? ` and died_at <= ${edge} + interval '${days} days'`
      : ` and died_at >= ${edge} - interval '${days} days'`;
  };
  const { named, from, where, values } = filterSql(filter, search, days === null ? undefined : within);
  const at = values.length;
  const [than, order] = backwards ? [">", "asc"] : ["<", "desc"];
  const beyond = cursor ? ` and (l.died_at, l.letter_id) ${than} ($${at + 1}::timestamptz, $${at + 2}::text)` : "";
  const sql = {
    name: named(cursor ? `list_${order}` : "list"),
    text: `select ${letterColumns()} from ${from} where ${where}${beyond}
      order by l.died_at ${order}, l.letter_id ${order} limit $${at + (cursor ? 3 : 1)}`,
  };
  return many(own, sql, ArchivedLetterRow, [...values, ...(cursor ?? []), limit]);
}
