import type { Pool } from "pg";
import { z } from "zod";
import { execute, maybe, type Sql } from "@/lib/db/pg";
import type { ArchivePlace } from "@/lib/queues/queue";

/** $1 queue. */
const READ: Sql = {
  name: "archive_cursor_read",
  text: `select died_at::text, letter_id, walked_to, walked_at is not null as walked, followed_to
    from backstop.archive_cursors where queue = $1`,
};
const Row = z
  .object({
    died_at: z.string().nullable(),
    letter_id: z.string().nullable(),
    walked_to: z.string().nullable(),
    walked: z.boolean(),
    followed_to: z.string().nullable(),
  })
  .transform((row) => ({
    place: row.died_at !== null && row.letter_id !== null ? { diedAt: row.died_at, letterId: row.letter_id } : null,
    walkedTo: row.walked_to,
    /** The whole history was gone through at least once. */
    walked: row.walked,
    followedTo: row.followed_to,
  }));
export type ArchiveCursor = z.output<typeof Row>;

/** How far a queue has been read. */
export async function readCursor(own: Pool, queue: string): Promise<ArchiveCursor> {
  return (await maybe(own, READ, Row, [queue])) ?? { place: null, walkedTo: null, walked: false, followedTo: null };
}

/** $1 queue · $2 time of death · $3 letter id. Only ever on: a keeper that is late must not make another read it all again. */
const MOVE: Sql = {
  name: "archive_cursor_move",
  text: `insert into backstop.archive_cursors as c (queue, died_at, letter_id) values ($1, $2, $3)
    on conflict (queue) do update set died_at = excluded.died_at, letter_id = excluded.letter_id
      where c.died_at is null or (excluded.died_at, excluded.letter_id) > (c.died_at, c.letter_id)`,
};

/** All before this place is kept. */
export function moveCursor(own: Pool, queue: string, { diedAt, letterId }: ArchivePlace): Promise<number> {
  return execute(own, MOVE, [queue, diedAt, letterId]);
}

/** $1 queue. */
const CAUGHT_UP: Sql = {
  name: "archive_cursor_caught_up",
  text: `insert into backstop.archive_cursors (queue, caught_up_at) values ($1, clock_timestamp())
    on conflict (queue) do update set caught_up_at = excluded.caught_up_at`,
};

/** Nothing was left to read just now. */
export function noteCaughtUp(own: Pool, queue: string): Promise<number> {
  return execute(own, CAUGHT_UP, [queue]);
}

/** $1 queue · $2 letter id; null: a round is over. */
const WALKED: Sql = {
  name: "archive_cursor_walked",
  text: `insert into backstop.archive_cursors as c (queue, walked_to, walked_at)
      values ($1, $2, case when $2::text is null then clock_timestamp() end)
    on conflict (queue) do update set walked_to = excluded.walked_to, walked_at = coalesce(excluded.walked_at, c.walked_at)`,
};

export function noteWalked(own: Pool, queue: string, to: string | null): Promise<number> {
  return execute(own, WALKED, [queue, to]);
}

/** $1 queue · $2 letter id; null: from the beginning. */
const FOLLOWED: Sql = {
  name: "archive_cursor_followed",
  text: `insert into backstop.archive_cursors (queue, followed_to) values ($1, $2)
    on conflict (queue) do update set followed_to = excluded.followed_to`,
};

export function noteFollowed(own: Pool, queue: string, to: string | null): Promise<number> {
  return execute(own, FOLLOWED, [queue, to]);
}
