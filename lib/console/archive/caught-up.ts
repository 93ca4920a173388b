import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";

/** When the archive of a queue last lacked nothing, ms since 1970; null: it never did yet. */
export type CaughtUp = { queue: string; atMs: number | null; lateMs: number | null };

const CAUGHT_UP: Sql = {
  name: "archive_caught_up",
  text: `select queue, ${ms("caught_up_at")} as at_ms,
      (extract(epoch from statement_timestamp() - caught_up_at) * 1000)::float8 as late_ms
    from backstop.archive_cursors order by queue`,
};
const Row = z
  .object({ queue: z.string(), at_ms: z.number().nullable(), late_ms: z.number().nullable() })
  .transform(({ queue, at_ms, late_ms }) => ({ queue, atMs: at_ms, lateMs: late_ms }));

/** How far the archive is behind each queue that it has begun to keep. */
export function listCaughtUp(own: Pool): Promise<CaughtUp[]> {
  return many(own, CAUGHT_UP, Row);
}
