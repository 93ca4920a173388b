import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";

/** When the archive of a queue last lacked nothing, ms since 1970; null: it never did yet. */
export type CaughtUp = { queue: string; atMs: number | null; lateMs: number | null };

/** $1 queues. One that no keeper has begun with has no cursor. */
const CAUGHT_UP: Sql = {
  name: "archive_caught_up",
  text: `select queue, ${ms("caught_up_at")} as at_ms,
      (extract(epoch from statement_timestamp() - caught_up_at) * 1000)::float8 as late_ms
    from unnest($1::text[]) as asked(queue) left join backstop.archive_cursors using (queue) order by queue`,
};
const Row = z
  .object({ queue: z.string(), at_ms: z.number().nullable(), late_ms: z.number().nullable() })
  .transform(({ queue, at_ms, late_ms }) => ({ queue, atMs: at_ms, lateMs: late_ms }));

/** How far the archive is behind each of these queues. */
export function listCaughtUp(own: Pool, queues: readonly string[]): Promise<CaughtUp[]> {
  return many(own, CAUGHT_UP, Row, [queues]);
}
