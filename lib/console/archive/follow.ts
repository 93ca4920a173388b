import type { Pool } from "pg";
import { z } from "zod";
import { execute, many, type Sql } from "@/lib/db/pg";
import { ArchivedState } from "@/lib/domain/archived-letter";
import { type ArchivedQueue, copyLetters } from "./copy";
import { noteFollowed, readCursor } from "./cursor";
import { readDeskRequeues } from "./desk-requeues";
import { writable } from "./instant";
import { type Change, nextState } from "./next-state";

/** Letters looked at in one run: of those that await their outcome, and of all others that may still change. */
const AWAITING_MAX = 1_000;
const OTHERS_MAX = 2_000;

const unsettledSql = (name: string, states: string): Sql => ({
  name,
  text: `select letter_id, generation, state, requeued_job_id as job_id from backstop.dead_letters
    where queue = $1 and letter_id > $2 and state in (${states}) order by letter_id limit $3`,
});
// $1 queue · $2 after this letter id · $3 limit
const AWAITING = unsettledSql("archive_awaiting", "'awaiting'");
const UNSETTLED = unsettledSql("archive_unsettled", "'open', 'resolved', 'awaiting', 'requeued_elsewhere'");

const Row = z.object({
  letter_id: z.string(),
  generation: z.number(),
  state: ArchivedState,
  job_id: z.string().nullable(),
});
type Row = z.output<typeof Row>;

/** $1 queue, then a list for each column. Only from the state that was judged: another may have moved it meanwhile. */
const CHANGE: Sql = {
  name: "archive_follow",
  text: `update backstop.dead_letters d set state = new.state,
      state_at = coalesce(to_timestamp(new.state_ms / 1000), clock_timestamp()),
      requeued_at = coalesce(to_timestamp(new.requeued_ms / 1000), d.requeued_at),
      requeued_job_id = coalesce(new.requeued_job_id, d.requeued_job_id), next_letter_id = new.next_letter_id
    from unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::text[], $9::text[])
      as new(letter_id, generation, was, state, state_ms, requeued_ms, requeued_job_id, next_letter_id)
    where d.queue = $1 and d.letter_id = new.letter_id and d.generation = new.generation and d.state = new.was`,
};

/** $1 queue · $2 letters that a requeue ended in · $3 the letters that were requeued. */
const LINK: Sql = {
  name: "archive_link_back",
  text: `update backstop.dead_letters d set requeued_from = link.earlier
    from unnest($2::text[], $3::text[]) as link(later, earlier)
    where d.queue = $1 and d.letter_id = link.later and d.requeued_from is null`,
};

/** Where a keeper is among the letters that await their outcome. */
export type Awaited = { after: string };

/**
 * Lets letters follow what their store shows of them: those that await an outcome, then the next of all others that may
 * still change. Answers how many changed.
 */
export async function followLetters(
  own: Pool,
  queue: ArchivedQueue,
  awaited: Awaited = { after: "" },
  { awaitingMax = AWAITING_MAX, othersMax = OTHERS_MAX } = {},
): Promise<number> {
  const awaiting = await many(own, AWAITING, Row, [queue.name, awaited.after, awaitingMax]);
  awaited.after = (awaiting.length === awaitingMax && awaiting.at(-1)?.letter_id) || "";
  const { followedTo } = await readCursor(own, queue.name);
  const others = await many(own, UNSETTLED, Row, [queue.name, followedTo ?? "", othersMax]);
  const changed = await judge(own, queue, [...awaiting, ...others.filter(({ state }) => state !== "awaiting")]);
  const to = others.length === othersMax ? (others.at(-1)?.letter_id ?? null) : null;
  if (to !== followedTo) await noteFollowed(own, queue.name, to);
  return changed;
}

async function judge(own: Pool, queue: ArchivedQueue, rows: readonly Row[]): Promise<number> {
  if (rows.length === 0) return 0;
  const stored = await queue.archive.readStates(rows.map((row) => ({ letterId: row.letter_id, jobId: row.job_id })));
  const requeued = rows.filter((row) => stored.get(row.letter_id)?.kind === "requeued");
  const desk = await readDeskRequeues(
    own,
    queue.name,
    requeued.map((row) => row.letter_id),
  );
  const moves = rows.flatMap((row) => {
    const now = stored.get(row.letter_id);
    const change = now ? nextState(row.state, now, desk.get(row.letter_id) ?? []) : null;
    return change ? [{ row, change }] : [];
  });
  if (moves.length === 0) return 0;
  await link(own, queue, moves);
  return execute(own, CHANGE, [queue.name, ...columnsOf(moves)]);
}

type Move = { row: Row; change: Change };

/** Before the letters move: one that has moved is not looked at again, and its link would never be made. */
async function link(own: Pool, queue: ArchivedQueue, moves: readonly Move[]): Promise<void> {
  const links = moves.flatMap(({ row, change }) =>
    change.nextLetterId === null ? [] : [{ earlier: row.letter_id, later: change.nextLetterId }],
  );
  if (links.length === 0) return;
  const later = links.map((each) => each.later);
  // What is linked must be there: it may have died so lately that it is not kept yet.
  await copyLetters(own, queue, await queue.archive.findKeys(later));
  await execute(own, LINK, [queue.name, later, links.map(({ earlier }) => earlier)]);
}

function columnsOf(moves: readonly Move[]): unknown[][] {
  return [
    moves.map(({ row }) => row.letter_id),
    moves.map(({ row }) => row.generation),
    moves.map(({ row }) => row.state),
    moves.map(({ change }) => change.state),
    moves.map(({ change }) => writable(change.atMs)),
    moves.map(({ change }) => writable(change.requeuedMs)),
    moves.map(({ change }) => change.requeuedJobId),
    moves.map(({ change }) => change.nextLetterId),
  ];
}
