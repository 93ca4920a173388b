import type { Pool } from "pg";
import { z } from "zod";
import { many } from "@/lib/db/pg";
import type { ArchiveFilter } from "@/lib/domain/archived-letter";
import { QueueName } from "@/lib/domain/queue";
import { filterSql } from "./filter-sql";
import { searchOf } from "./search";

const Row = z.object({ queue: QueueName, id: z.string() });

/** Which letters of a filter are open, the newest first, at most `max`. `more`: there are others. */
export async function listOpen(
  own: Pool,
  filter: ArchiveFilter,
  max: number,
): Promise<{ letters: z.output<typeof Row>[]; more: boolean }> {
  if (filter.states && !filter.states.includes("open")) return { letters: [], more: false };
  const search = await searchOf(own, filter.text);
  const { named, from, where, values } = filterSql({ ...filter, states: ["open"] }, search);
  const sql = {
    name: named("open"),
    text: `select l.queue, l.letter_id as id from ${from} where ${where}
      order by l.died_at desc, l.letter_id desc limit $${values.length + 1}::int + 1`,
  };
  const found = await many(own, sql, Row, [...values, max]);
  return { letters: found.slice(0, max), more: found.length > max };
}
