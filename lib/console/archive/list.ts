import type { Pool } from "pg";
import { many } from "@/lib/db/pg";
import type { ArchiveFilter } from "@/lib/domain/archived-letter";
import { decodeTextCursor, pageOf } from "@/lib/queues/cursor";
import type { PageRequest } from "@/lib/queues/queue";
import { filterSql } from "./filter-sql";
import { type ArchivedLetter, ArchivedLetterRow, letterColumns } from "./letter-row";
import { searchOf } from "./search";

export type ArchivePage = { rows: ArchivedLetter[]; next: string | null; previous: string | null };

/** A page of the archived letters of a filter, the newest first, by keyset on (died_at, letter_id). */
export async function listArchived(own: Pool, filter: ArchiveFilter, request: PageRequest): Promise<ArchivePage> {
  const { after, before, limit } = request;
  const cursor = decodeTextCursor(before) ?? decodeTextCursor(after);
  const backwards = cursor !== null && decodeTextCursor(before) !== null;
  const { name, from, where, values } = filterSql(filter, await searchOf(own, filter.text));
  const at = values.length;
  const [than, order] = backwards ? [">", "asc"] : ["<", "desc"];
  const beyond = cursor ? ` and (l.died_at, l.letter_id) ${than} ($${at + 1}::timestamptz, $${at + 2}::text)` : "";
  const sql = {
    name: `archive_list_${name}${cursor ? `_${order}` : ""}`,
    text: `select ${letterColumns()} from ${from} where ${where}${beyond}
      order by l.died_at ${order}, l.letter_id ${order} limit $${at + (cursor ? 3 : 1)}`,
  };
  const found = await many(own, sql, ArchivedLetterRow, [...values, ...(cursor ?? []), limit + 1]);
  return pageOf(found, limit, { backwards, fromCursor: cursor !== null });
}
