import type { Pool } from "pg";
import { z } from "zod";
import { many } from "@/lib/db/pg";
import type { ArchiveFilter } from "@/lib/domain/archived-letter";
import { csvLine } from "@/lib/domain/csv";
import { escapeUnseen } from "@/lib/domain/unseen";
import { filterSql } from "./filter-sql";
import { type ArchivedLetter, ArchivedLetterRow, letterColumns } from "./letter-row";
import { searchOf } from "./search";

export const ExportFormat = z.enum(["csv", "json"]);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** Read at once, with errors of up to 16 KiB: some MB at the most. */
const CHUNK = 200;
const ERROR_EXPORTED_MAX = 16_384;

const iso = (ms: number | null) =>
  ms === null ? null : Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : "infinity";

type Value = string | number | null;

/** What is exported of a letter, in this order: no payload, nothing that the desk does not show. */
const FIELDS: [string, (letter: ArchivedLetter) => Value][] = [
  ["queue", (letter) => letter.queue],
  ["letter_id", (letter) => letter.id],
  ["generation", (letter) => letter.generation],
  ["died_at", (letter) => iso(letter.diedMs)],
  ["state", (letter) => letter.state],
  ["state_since", (letter) => iso(letter.stateMs)],
  ["job_id", (letter) => letter.jobId],
  ["kind", (letter) => letter.kind],
  ["character_id", (letter) => letter.subjectId],
  ["character_name", (letter) => letter.subjectName],
  ["realm", (letter) => letter.realm],
  ["zone", (letter) => letter.zone],
  ["attempts", (letter) => letter.attempts],
  ["requeued_at", (letter) => iso(letter.requeuedMs)],
  ["requeued_from", (letter) => letter.requeuedFrom],
  ["next_letter_id", (letter) => letter.nextLetterId],
  ["resolved_reason", (letter) => letter.resolvedReason],
  ["error_group", (letter) => letter.groupId],
  ["error", (letter) => letter.error],
];

/** `head` before all, `line` for each letter, `foot` after the last. */
type Writer = { head: string; line: (letter: ArchivedLetter, first: boolean) => string; foot: string };

const json = (letter: ArchivedLetter) =>
  escapeUnseen(JSON.stringify(Object.fromEntries(FIELDS.map(([name, of]) => [name, of(letter)]))));
const WRITERS: Record<ExportFormat, Writer> = {
  csv: {
    head: csvLine(FIELDS.map(([name]) => name)),
    line: (letter) => csvLine(FIELDS.map(([, of]) => of(letter))),
    foot: "",
  },
  json: { head: "[\n", line: (letter, first) => `${first ? "" : ",\n"}${json(letter)}`, foot: "\n]\n" },
};

/**
 * The archived letters of a filter as text, the newest first, read in small pages by keyset as they are asked for: what
 * is held at once does not grow with their number.
 */
export async function* exportLetters(own: Pool, filter: ArchiveFilter, format: ExportFormat): AsyncGenerator<string> {
  const { head, line, foot } = WRITERS[format];
  const { named, from, where, values } = filterSql(filter, await searchOf(own, filter.text));
  const at = (offset: number) => `$${values.length + offset}`;
  const sql = {
    name: named("export"),
    text: `select ${letterColumns(ERROR_EXPORTED_MAX)} from ${from}
      where ${where} and (${at(1)}::timestamptz is null or (l.died_at, l.letter_id) < (${at(1)}::timestamptz, ${at(2)}::text))
      order by l.died_at desc, l.letter_id desc limit ${at(3)}`,
  };
  yield head;
  let place: [string | null, string | null] = [null, null];
  for (let first = true; ; ) {
    const found: ArchivedLetter[] = await many(own, sql, ArchivedLetterRow, [...values, ...place, CHUNK]);
    let text = "";
    for (const letter of found) {
      text += line(letter, first);
      first = false;
    }
    if (text !== "") yield text;
    const last = found.at(-1);
    if (found.length < CHUNK || last === undefined) break;
    place = [last.cursorAt, last.id];
  }
  yield foot;
}
