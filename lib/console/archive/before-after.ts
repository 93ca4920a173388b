import type { Pool } from "pg";
import { z } from "zod";
import { one, type Sql } from "@/lib/db/pg";

/** Letters of a group that died within equal stretches before and after something was done. */
export type BeforeAfter = { atMs: number; stretchMs: number; before: number; after: number };

const STRETCH_MAX_MS = 24 * 3_600_000;

/** $1 group · $2 when (ms) · $3 stretch (ms) */
const COUNT: Sql = {
  name: "archive_before_after",
  text: `select count(*) filter (where l.died_at < to_timestamp($2::float8 / 1000))::int as before,
      count(*) filter (where l.died_at >= to_timestamp($2::float8 / 1000))::int as after
    from backstop.dead_letters l
    where l.group_id = $1::bigint and l.died_at >= to_timestamp(($2::float8 - $3::float8) / 1000)
      and l.died_at < to_timestamp(($2::float8 + $3::float8) / 1000)`,
};

/**
 * Whether it helped: deaths of a cause before and after an instant (ms since 1970), each over as long as has passed since
 * then, at most a day.
 */
export async function readBeforeAfter(own: Pool, groupId: string, atMs: number, nowMs: number): Promise<BeforeAfter> {
  const stretchMs = Math.max(1, Math.min(STRETCH_MAX_MS, nowMs - atMs));
  const row = z.object({ before: z.number(), after: z.number() });
  return { atMs, stretchMs, ...(await one(own, COUNT, row, [groupId, atMs, stretchMs])) };
}
