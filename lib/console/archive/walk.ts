import type { Pool } from "pg";
import { execute, type Sql } from "@/lib/db/pg";
import { type ArchivedQueue, copyLetters } from "./copy";
import { noteWalked, readCursor } from "./cursor";
import { ARCHIVE_MONTHS } from "./months";

const PAGE = 1_000;

/**
 * $1 queue · $2 letter ids. A store that was away, or restored: what was missed there is there. A person's decision
 * stands while the letter is dead.
 */
const CAME_BACK: Sql = {
  name: "archive_came_back",
  text: `update backstop.dead_letters set state = case when resolved_at is null then 'open' else 'resolved' end,
      state_at = coalesce(resolved_at, clock_timestamp())
    where queue = $1 and letter_id = any($2::text[]) and state = 'left_elsewhere'`,
};

/**
 * One step through the whole history by id, round and round: it finds what was committed so late, or died so long ago,
 * that the cursor has gone by. Answers whether to go on at once: in the first round, which brings in what is old.
 */
export async function walkHistory(
  own: Pool,
  queue: ArchivedQueue,
  { months = ARCHIVE_MONTHS, page = PAGE } = {},
): Promise<{ copied: number; more: boolean }> {
  const { walkedTo, walked } = await readCursor(own, queue.name);
  const { keys, next } = await queue.archive.listById(walkedTo, { months, limit: page });
  const copied = await copyLetters(own, queue, keys);
  const ids = keys.map(({ letterId }) => letterId);
  if (ids.length > 0) await execute(own, CAME_BACK, [queue.name, ids]);
  await noteWalked(own, queue.name, next);
  return { copied, more: next !== null && !walked };
}
