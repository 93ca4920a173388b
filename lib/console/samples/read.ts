import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import { groupBy } from "@/lib/domain/group";

/** $1 minutes back from now. */
const READ: Sql = {
  name: "samples_oldest",
  text: `select queue, ${ms("at")} as at_ms, oldest_due_ms::float8 as oldest_due_ms, dead from backstop.samples
    where at > statement_timestamp() - $1::int * interval '1 minute' order by queue, at`,
};

const Row = z.object({
  queue: z.string(),
  at_ms: z.number(),
  oldest_due_ms: z.number().nullable(),
  dead: z.number().nullable(),
});

/** One point of the oldest-age line: ms since 1970; age in ms, 0 when nothing was due, null when it could not be told. */
export type OldestPoint = { atMs: number; oldestMs: number | null };

/** The oldest age of each queue over the last minutes, in order of time. A gap in the samples is a gap in the points. */
export async function readOldestAges(own: Pool, minutes: number): Promise<Map<string, OldestPoint[]>> {
  const rows = await many(own, READ, Row, [minutes]);
  const points = new Map<string, OldestPoint[]>();
  for (const [queue, group] of groupBy(rows, (row) => row.queue)) {
    points.set(
      queue,
      group.map((row) => ({ atMs: row.at_ms, oldestMs: row.oldest_due_ms })),
    );
  }
  return points;
}
