import type { Pool } from "pg";
import { z } from "zod";
import { many } from "@/lib/db/pg";
import { ArchivedState, type ArchiveFilter } from "@/lib/domain/archived-letter";
import type { Bins } from "@/lib/domain/bins";
import { filterSql } from "./filter-sql";
import { searchOf } from "./search";

/** One bin that holds letters, and how many of them are in each state now. */
export type HistogramBin = { index: number; states: Partial<Record<ArchivedState, number>> };

const BinRow = z.object({ bin: z.number(), state: ArchivedState, letters: z.number() });

/**
 * Letters by the time of their death and their present state, in these bins; the filter's own times do not count.
 * `search`: what the page asked already.
 */
export async function readHistogram(
  own: Pool,
  filter: ArchiveFilter,
  bins: Bins,
  search = searchOf(own, filter.text),
): Promise<HistogramBin[]> {
  const within = { ...filter, fromMs: bins.fromMs, toMs: bins.toMs };
  const { named, from, where, values } = filterSql(within, await search);
  const [start, width] = [`$${values.length + 1}::float8`, `$${values.length + 2}::float8`];
  const sql = {
    name: named("histogram"),
    text: `select floor((extract(epoch from l.died_at)::float8 * 1000 - ${start}) / ${width})::int as bin, l.state,
        count(*)::int as letters
      from ${from} where ${where} group by 1, 2 order by 1`,
  };
  const rows = await many(own, sql, BinRow, [...values, bins.fromMs, bins.widthMs]);
  const found = new Map<number, HistogramBin>();
  for (const { bin, state, letters } of rows) {
    const index = Math.min(bins.count - 1, Math.max(0, bin));
    const at = found.get(index) ?? { index, states: {} };
    at.states[state] = (at.states[state] ?? 0) + letters;
    found.set(index, at);
  }
  return [...found.values()];
}
