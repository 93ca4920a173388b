import type { Pool } from "pg";
import { z } from "zod";
import { execute, many, type Sql } from "@/lib/db/pg";
import { groupBy } from "@/lib/domain/group";
import type { RequeueDoor } from "@/lib/queues/queue";
import { FOLLOWED_ITEM } from "./sql";
import { storable } from "./storable";

/** $1 limit. Oldest first, so that none waits for ever behind newer ones. */
const AWAITING: Sql = {
  name: "operation_items_awaiting",
  text: `select o.queue, i.operation_id::text, i.letter_id, i.new_job_id
    from backstop.operation_items i join backstop.operations o using (operation_id)
    where i.outcome = 'awaiting' and i.new_job_id is not null
    order by coalesce(i.followed_at, '-infinity'), i.operation_id limit $1`,
};

const AwaitingRow = z.object({
  queue: z.string(),
  operation_id: z.string(),
  letter_id: z.string(),
  new_job_id: z.string(),
});

/** $1 operation ids · $2 letter ids. The next look takes others first. */
const LOOKED: Sql = {
  name: "operation_items_looked",
  text: `update backstop.operation_items i set followed_at = clock_timestamp()
    from unnest($1::uuid[], $2::text[]) as looked(operation_id, letter_id)
    where i.operation_id = looked.operation_id and i.letter_id = looked.letter_id`,
};

const FOLLOWED_MAX = 500;

/** Follows requeued letters until their outcome is known. Answers how many became known. */
export async function followOutcomes(own: Pool, doorOf: (queue: string) => RequeueDoor | null): Promise<number> {
  const awaiting = await many(own, AWAITING, AwaitingRow, [FOLLOWED_MAX]);
  let known = 0;
  for (const [queue, rows] of groupBy(awaiting, (row) => row.queue)) {
    const door = doorOf(queue);
    if (!door) continue;
    const outcomes = await door.readOutcomes(
      rows.map((row) => ({ letterId: row.letter_id, newJobId: row.new_job_id })),
    );
    await execute(own, LOOKED, [rows.map((row) => row.operation_id), rows.map((row) => row.letter_id)]);
    for (const row of rows) {
      const found = outcomes.get(row.letter_id);
      if (!found) continue;
      known += await execute(own, FOLLOWED_ITEM, [
        row.operation_id,
        row.letter_id,
        found.outcome,
        storable(found.detail),
        found.atMs,
      ]);
    }
  }
  return known;
}
