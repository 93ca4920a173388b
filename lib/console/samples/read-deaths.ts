import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import type { Deaths, HistoryBins } from "@/lib/domain/history";

/** Small plots with one scale: more of them than this cannot be compared. */
const KINDS_MAX = 6;

/** $1 start (ms) · $2 width (ms) · $3 bins. Served by the index on the time of death. */
const DEATHS: Sql = {
  name: "history_deaths",
  text: `select queue, kind, bin, count(*)::int as letters from (
      select queue, kind, floor((date_part('epoch', died_at) * 1000 - $1::float8) / $2::float8)::int as bin
        from backstop.dead_letters where died_at >= to_timestamp($1::float8 / 1000)
          and died_at < to_timestamp(($1::float8 + $2::float8 * $3::int) / 1000)) as died
    group by 1, 2, 3`,
};
const Row = z.object({ queue: z.string(), kind: z.string(), bin: z.number(), letters: z.number() });

/** Dead letters by kind and bin, the kinds with the most first, and how many kinds are not told apart. */
export async function readDeaths(own: Pool, bins: HistoryBins): Promise<{ deaths: Deaths[]; moreKinds: number }> {
  const { fromMs, widthMs, count } = bins;
  const kinds = new Map<string, Deaths>();
  for (const { queue, kind, bin, letters } of await many(own, DEATHS, Row, [fromMs, widthMs, count])) {
    const key = `${queue} ${kind}`;
    const known = kinds.get(key) ?? { queue, kind, counts: Array.from({ length: count }, () => 0), total: 0 };
    known.counts[bin] = letters;
    known.total += letters;
    kinds.set(key, known);
  }
  const all = [...kinds.values()].sort((a, b) => b.total - a.total || a.kind.localeCompare(b.kind));
  return { deaths: all.slice(0, KINDS_MAX), moreKinds: Math.max(0, all.length - KINDS_MAX) };
}
