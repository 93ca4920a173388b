import type pg from "pg";
import { count, most, type Tally, violated } from "@/scripts/chaos/tally";
import { sampleViolations } from "@/scripts/testing/sample-conservation";
import { gapsOf, type Span } from "./spans";
import type { Watched } from "./watch-duty";

/** A reading each 5 s; one that another keeper has read already is none, and the next is 5 s later. The rest: a busy machine. */
const GAP_MAX_MS = 5_000 + 5_000 + 2_500;

const INSTANTS = `select (extract(epoch from at) * 1000)::float8 as at_ms from backstop.samples
  where queue = $1 and at >= to_timestamp($2::float8 / 1000) and at <= to_timestamp($3::float8 / 1000) order by at`;

/**
 * No 5 s are read twice, each minute is what its samples and its store say, and a gap is nowhere but where nobody lived
 * to read. `nobody`: when no keeper lived at all.
 */
export async function checkSamples(
  admin: pg.Pool,
  tally: Tally,
  watched: Watched,
  nobody: readonly Span[],
): Promise<void> {
  for (const violation of await sampleViolations(admin)) violated(tally, violation);
  const { rows } = await admin.query(INSTANTS, ["persistence-retry", watched.fromMs, watched.toMs]);
  const instants: number[] = rows.map((row) => row.at_ms);
  count(tally, "samples", instants.length);
  for (const { fromMs, toMs, excused } of gapsOf([watched.fromMs, ...instants, watched.toMs], watched.excuses)) {
    const lived = toMs - fromMs - excused;
    most(tally, "longest gap, ms", Math.round(toMs - fromMs));
    most(tally, "longest gap but for when nobody kept it, ms", Math.round(lived));
    if (lived > GAP_MAX_MS)
      violated(
        tally,
        `no sample for ${Math.round(lived)} ms from ${new Date(fromMs).toISOString()}, and a keeper lived`,
      );
  }
  for (const { fromMs, toMs } of nobody) {
    const read = instants.filter((at) => at > fromMs && at < toMs);
    if (read.length > 0) violated(tally, `${read.length} samples while nobody lived`);
  }
}
