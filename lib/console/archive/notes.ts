import type { Pool } from "pg";
import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/console/audit/record";
import { many, maybe, ms, type Sql, transaction } from "@/lib/db/pg";

/** What a person wrote on a group. */
export type GroupNote = { noteId: string; body: string; author: string; atMs: number };

const NoteRow = z
  .object({ note_id: z.string(), body: z.string(), author_name: z.string(), at_ms: z.number() })
  .transform(({ note_id, body, author_name, at_ms }) => ({ noteId: note_id, body, author: author_name, atMs: at_ms }));

/** $1 group */
const LIST: Sql = {
  name: "group_notes_list",
  text: `select note_id::text, body, author_name, ${ms("at")} as at_ms from backstop.group_notes
    where group_id = $1::bigint order by at desc, note_id desc limit 200`,
};

/** The notes of a group, the newest first, at most 200. */
export function listNotes(own: Pool, groupId: string): Promise<GroupNote[]> {
  return many(own, LIST, NoteRow, [groupId]);
}

/** $1 group · $2 body · $3 author · $4 author's name · $5 queues, null: all. No row: there is no such group in them. */
const ADD: Sql = {
  name: "group_notes_add",
  text: `with of_group as (
      select group_id, queue from backstop.error_groups
      where group_id = $1::bigint and ($5::text[] is null or queue = any($5::text[]))
    ), added as (
      insert into backstop.group_notes (group_id, body, author_id, author_name)
      select group_id, $2, $3::uuid, $4 from of_group
      returning note_id, body, author_name, at
    )
    select note_id::text, body, author_name, ${ms("at")} as at_ms, queue from added cross join of_group`,
};
const AddedRow = z.object({ queue: z.string() }).and(NoteRow);

type Given = {
  groupId: string;
  body: string;
  actor: Actor;
  address: string | null;
  requestId: string;
  /** The limit of who writes; absent or null: none. */
  queues?: readonly string[] | null;
};

/** Writes a note and its line of the audit, both or neither. `no_group`: there is none of that number. */
export function addNote(own: Pool, given: Given): Promise<{ kind: "added"; note: GroupNote } | { kind: "no_group" }> {
  const { groupId, body, actor, address, requestId, queues = null } = given;
  return transaction(own, async (client) => {
    const added = await maybe(client, ADD, AddedRow, [groupId, body, actor.id, actor.name, queues]);
    if (added === null) return { kind: "no_group" as const };
    const { queue, ...note } = added;
    // Who is limited to queues finds a row by the queue of its target.
    const target = { queue, group: groupId, note: note.noteId };
    const detail = { body };
    await recordAudit(client, {
      phase: "outcome",
      action: "note",
      actor,
      target,
      address,
      requestId,
      detail,
      outcome: "added",
    });
    return { kind: "added" as const, note };
  });
}
