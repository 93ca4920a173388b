import type { Pool } from "pg";
import type { ArchivePlace } from "@/lib/queues/queue";
import { type ArchivedQueue, copyLetters } from "./copy";
import { moveCursor, noteCaughtUp, readCursor } from "./cursor";
import { ARCHIVE_MONTHS } from "./months";

/** Ids read at a time. */
const PAGE = 5_000;
/** Then others have their turn: well within the lease of the duty. */
const RUN_MS = 3_000;

/** Where a run stopped, of those that did not come to the end. */
export type Resume = ArchivePlace | null;
export type ArchiveRun = { copied: number; more: boolean; resume: Resume };

/**
 * Keeps the letters that have died since the last run. Letters are seen when they are committed and not when they died:
 * so the cursor stays behind the newest by what the queue calls settled, and what lies between is looked at again, by
 * ids alone. Whatever ends it, the next run goes on.
 * @param resume where the run before stopped, null: at the cursor
 */
export async function archiveNew(
  own: Pool,
  queue: ArchivedQueue,
  resume: Resume = null,
  { months = ARCHIVE_MONTHS, page = PAGE, runMs = RUN_MS } = {},
): Promise<ArchiveRun> {
  const until = performance.now() + runMs;
  let place = resume ?? (await readCursor(own, queue.name)).place;
  let copied = 0;
  for (;;) {
    const { keys, settled } = await queue.archive.listAfter(place, { months, limit: page });
    copied += await copyLetters(own, queue, keys);
    if (settled) await moveCursor(own, queue.name, settled);
    const last = keys.at(-1);
    if (last === undefined || keys.length < page) {
      await noteCaughtUp(own, queue.name);
      return { copied, more: false, resume: null };
    }
    place = last;
    if (performance.now() > until) return { copied, more: true, resume: last };
  }
}
