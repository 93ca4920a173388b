import type pg from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import { readDepths, readEntries, readLetters } from "@/lib/engine/durable/redis-work-queue";
import type { JournalQueue } from "@/lib/engine/session-lifecycle/journal-queue";
import type { DemoFault } from "@/lib/internal-rpc/demo-wire";

const ENTRIES: Sql = {
  name: "demo_fault_entries",
  text: `select w.retry_job_id from demo_fault_writes w join demo_faults f using (fault_id)
          where f.ended_at is null and w.retry_job_id is not null`,
};

const LOOK = { max: 500, first: "newest" } as const;

/** How many of the open fault's cleanups wait and how many are dead, at the newest end of each list. */
export async function countCleanups(
  pool: pg.Pool,
  queue: JournalQueue,
): Promise<Pick<DemoFault, "waiting" | "letters">> {
  const rows = await many(pool, ENTRIES, z.object({ retry_job_id: z.string() }));
  const ids = new Set(rows.map(({ retry_job_id }) => retry_job_id));
  const { pending, retrying, processingOf } = queue.keys;
  const { runtimes } = await readDepths(queue);
  const lists = [pending, retrying, ...runtimes.map(({ runtime }) => processingOf(runtime))];
  const [letters, ...live] = await Promise.all([
    readLetters(queue, LOOK),
    ...lists.map((key) => readEntries(queue, key, LOOK)),
  ]);
  const ours = (seen: { value: { entryId: string } | null }[]) =>
    seen.filter(({ value }) => value !== null && ids.has(value.entryId)).length;
  return { waiting: live.reduce((sum, seen) => sum + ours(seen), 0), letters: ours(letters) };
}
