import { createHash } from "node:crypto";
import { countIn, instantIn, itemIn, odd, readFields, type Seen, stringIn, textOf } from "@/lib/db/json-fields";

/** What stands in the list of dead letters: a letter, or bytes that are none, which are shown and never lost. */
export type JournalLetter = {
  /** Its own; of bytes that are no letter, `sha1-` and their hash. */
  id: string;
  /** Why it is no letter; null: it is one. */
  odd: string | null;
  /** Null: what died was no entry, and `item` is all of its bytes. */
  entryId: string | null;
  attempts: number;
  error: string;
  /** Ms since 1970; null where its writer left it out. */
  diedMs: number | null;
  requeuedFrom: string | null;
  operationId: string | null;
  item: Buffer;
};

/** Reads what stands in the list, whoever wrote it. */
export function readLetter(bytes: Buffer): JournalLetter {
  const seen = read(bytes);
  if (seen.kind === "read") return seen.value;
  const nothing = { entryId: null, attempts: 0, diedMs: null, requeuedFrom: null, operationId: null };
  const error = `This is no dead letter: ${seen.why}.`;
  return { ...nothing, id: `sha1-${sha1(bytes)}`, odd: seen.why, error, item: bytes };
}

function read(bytes: Buffer): Seen<JournalLetter> {
  const seen = readFields(bytes);
  if (seen.kind === "odd") return seen;
  const fields = seen.value;
  const id = stringIn(fields, "dead_letter_id");
  const attempts = countIn(fields, "failed_attempts");
  const item = itemIn(bytes, fields);
  if (id === null) return odd("without a dead_letter_id");
  if (attempts === null) return odd("without failed_attempts");
  if (item === null) return odd("without an item");
  return {
    kind: "read",
    value: {
      id,
      odd: null,
      entryId: stringIn(fields, "entry_id"),
      attempts,
      error: textOf(fields.get("error")?.text) ?? "",
      diedMs: instantIn(fields, "dead_lettered_at"),
      requeuedFrom: stringIn(fields, "requeued_from"),
      operationId: stringIn(fields, "operation_id"),
      item,
    },
  };
}

const HEAD = Buffer.from('{"dead_letter_id":"');
const UUID_LENGTH = 36;
const DIED = Buffer.from('"dead_lettered_at":"');
/** As our engine writes it: to the millisecond, in UTC. */
const INSTANT_LENGTH = 24;

/** The id of what stands in the list: of a letter as our engine writes it by its head alone, which costs next to nothing. */
export const letterIdOf = (bytes: Buffer): string => headId(bytes) ?? readLetter(bytes).id;

/** As `letterIdOf`, with the instant of death. */
export function letterKeyOf(bytes: Buffer): Pick<JournalLetter, "id" | "diedMs"> {
  const id = headId(bytes);
  // Within a string its quotes would be escaped: the first one that stands so is the field itself, before the item.
  const at = id === null ? -1 : bytes.indexOf(DIED);
  const ms =
    at < 0 ? Number.NaN : Date.parse(bytes.toString("latin1", at + DIED.length, at + DIED.length + INSTANT_LENGTH));
  return id === null || Number.isNaN(ms) ? readLetter(bytes) : { id, diedMs: ms };
}

function headId(bytes: Buffer): string | null {
  const end = HEAD.length + UUID_LENGTH;
  if (bytes.length <= end || bytes[end] !== 0x22 || bytes.compare(HEAD, 0, HEAD.length, 0, HEAD.length) !== 0)
    return null;
  const id = bytes.toString("latin1", HEAD.length, end);
  return /^[0-9a-f-]{36}$/.test(id) ? id : null;
}

export const sha1 = (bytes: Buffer) => createHash("sha1").update(bytes).digest("hex");
