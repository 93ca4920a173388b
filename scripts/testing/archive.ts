import type { Pool } from "pg";
import { archiveNew } from "@/lib/console/archive/archive-new";
import type { ArchivedQueue } from "@/lib/console/archive/copy";
import { tokenHash } from "@/lib/console/archive/token-hash";
import { walkHistory } from "@/lib/console/archive/walk";
import { findQueue } from "@/lib/queues";
import type { TestStores } from "./stores";

export const QUEUE = "persistence-retry";

/** The queue as a keeper has it, over a pool that reads the game. */
export function archivedQueue(game: Pool, secret: string): ArchivedQueue {
  const hashToken = (token: string) => tokenHash(token, secret);
  const queue = findQueue(QUEUE, { game, redis: null, rpc: null, hashToken });
  if (!queue?.archive) throw new Error("the queue keeps no letters");
  return queue as ArchivedQueue;
}

export type TestArchive = { own: Pool; game: Pool; queue: ArchivedQueue };

/** The archive on a file's stores: the desk's own role, the queue as the reading role, and the game's own to make rows. */
export function openArchive(stores: TestStores): TestArchive {
  return {
    own: stores.pool("backstop_own", 8),
    game: stores.pool("engine", 8),
    queue: archivedQueue(stores.pool("backstop_read", 8), stores.backstopSecret),
  };
}

/** As a keeper does it until nothing is left. */
export async function archiveAll(own: Pool, queue: ArchivedQueue): Promise<void> {
  for (let run = await archiveNew(own, queue); run.more; ) run = await archiveNew(own, queue, run.resume);
}

/** A whole round over the history by id. */
export async function walkAll(own: Pool, queue: ArchivedQueue): Promise<void> {
  const walkedTo = async () =>
    (await own.query("select walked_to from backstop.archive_cursors where queue = $1", [queue.name])).rows[0]
      ?.walked_to;
  do await walkHistory(own, queue);
  while ((await walkedTo()) !== null);
}

/** What is kept of a letter, by its columns' names; undefined: nothing. */
export async function keptLetter(own: Pool, letterId: string) {
  const text = `select d.*, encode(payload_hash, 'hex') as hash, encode(token_hash, 'hex') as token
    from backstop.dead_letters d where letter_id = $1`;
  const { rows } = await own.query(text, [letterId]);
  if (rows.length > 1) throw new Error(`${rows.length} rows of one letter`);
  return rows[0];
}
