import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import { COUNT_MAX } from "@/lib/domain/queue";

/** $1 queues · $2 at most. Letters that are dead and that a person has resolved, served by the index on the state. */
const COUNT: Sql = {
  name: "archive_resolved",
  text: `select q.name as queue, (select count(*)::int from (select from backstop.dead_letters d
      where d.queue = q.name and d.state = 'resolved' limit $2) as resolved) as resolved
    from unnest($1::text[]) as q(name)`,
};
const Row = z.object({ queue: z.string(), resolved: z.number() });

/** How many dead letters of each queue a person has resolved; what is dead and not resolved is open. */
export async function countResolved(own: Pool, queues: readonly string[]): Promise<Map<string, number>> {
  const rows = await many(own, COUNT, Row, [queues, COUNT_MAX]);
  return new Map(rows.map(({ queue, resolved }) => [queue, resolved]));
}
