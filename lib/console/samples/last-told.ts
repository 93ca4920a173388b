import type { Pool } from "pg";
import { z } from "zod";
import { ms, one, type Sql } from "@/lib/db/pg";

/** $1 queue. Served by the primary key. */
const LAST: Sql = {
  name: "samples_last_told",
  text: `select ${ms("(select minute from backstop.samples_minute where queue = $1 and done is not null order by minute desc limit 1)")} as at_ms`,
};
const Row = z.object({ at_ms: z.number().nullable() });

/** The last minute of a queue whose counts are kept, ms since 1970; null: none is. */
export async function readLastTold(own: Pool, queue: string): Promise<number | null> {
  return (await one(own, LAST, Row, [queue])).at_ms;
}
