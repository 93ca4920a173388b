import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import { groupBy } from "@/lib/domain/group";
import type { DeskRequeue } from "./next-state";

/** $1 queue · $2 letter ids. */
const DESK_REQUEUES: Sql = {
  name: "archive_desk_requeues",
  text: `select i.letter_id, i.new_job_id from backstop.operation_items i join backstop.operations o using (operation_id)
    where o.queue = $1 and i.letter_id = any($2::text[])
      and (i.answer = 'requeued' or o.state in ('intended', 'unknown'))`,
};

const Row = z
  .object({ letter_id: z.string(), new_job_id: z.string().nullable() })
  .transform((row): DeskRequeue => ({ letterId: row.letter_id, jobId: row.new_job_id }));

/** The requeues of some letters that this desk did or may have done, by letter id. */
export async function readDeskRequeues(own: Pool, queue: string, ids: string[]): Promise<Map<string, DeskRequeue[]>> {
  if (ids.length === 0) return new Map();
  return groupBy(await many(own, DESK_REQUEUES, Row, [queue, ids]), ({ letterId }) => letterId);
}
