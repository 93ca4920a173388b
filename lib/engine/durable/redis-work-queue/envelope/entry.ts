import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { countIn, itemIn, readFields, stringIn } from "@/lib/db/json-fields";
import { isBareText, itemField } from "./item";

/** An entry as it stands in a list. */
export type Entry = {
  entryId: string;
  /** Failed attempts so far. */
  attempts: number;
  /** ISO 8601; null where another writer left it out. */
  enqueuedAt: string | null;
  /** The letter that it was requeued from, and by which operation. */
  requeuedFrom: string | null;
  operationId: string | null;
  item: Buffer;
  /** Where the count of attempts stands in the bytes. */
  attemptsAt: { start: number; end: number };
};

/** Reads an entry of any writer: any order of fields, blanks, fields of their own. Null: this is not an entry. */
export function readEntry(bytes: Buffer): Entry | null {
  return readOurs(bytes) ?? readAny(bytes);
}

// Printable ASCII without quotes and escapes: a character is a byte, and is itself.
export const PLAIN = "([ !#-\\[\\]-~]+)";
const OURS = new RegExp(
  `^\\{"entry_id":"${PLAIN}","attempts":(\\d{1,9}),"enqueued_at":"${PLAIN}",(?:"requeued_from":"${PLAIN}",)?(?:"operation_id":"${PLAIN}",)?"item":`,
);
const HEAD_MAX = 512;

/** An entry as `newEntry` writes it, a third of the work of reading any; null: it must be read as any. */
function readOurs(bytes: Buffer): Entry | null {
  const source = bytes.toString("latin1");
  const head = OURS.exec(source.slice(0, HEAD_MAX));
  if (head === null || bytes.at(-1) !== 0x7d || !isUtf8(bytes)) return null;
  const [text, entryId = "", count = "", enqueuedAt = "", requeuedFrom = null, operationId = null] = head;
  const item = bytes.subarray(text.length, -1);
  // Something behind the item, or no item at all: then the rest is not one value.
  if (/^0\d/.test(count) || !isBareText(source.slice(text.length, -1))) return null;
  const start = '{"entry_id":"","attempts":'.length + entryId.length;
  const attemptsAt = { start, end: start + count.length };
  return { entryId, attempts: Number(count), enqueuedAt, requeuedFrom, operationId, item, attemptsAt };
}

function readAny(bytes: Buffer): Entry | null {
  const seen = readFields(bytes);
  if (seen.kind === "odd") return null;
  const fields = seen.value;
  const entryId = stringIn(fields, "entry_id");
  const counted = fields.get("attempts");
  const attempts = countIn(fields, "attempts");
  const item = itemIn(bytes, fields);
  if (!entryId || counted === undefined || attempts === null || item === null) return null;
  return {
    entryId,
    attempts,
    enqueuedAt: stringIn(fields, "enqueued_at"),
    requeuedFrom: stringIn(fields, "requeued_from"),
    operationId: stringIn(fields, "operation_id"),
    item,
    attemptsAt: { start: counted.start, end: counted.end },
  };
}

export type NewEntry = {
  entryId: string;
  requeued?: { from: string; operationId: string | null } | null;
  item: Buffer;
};

/** A new entry's bytes before and after the instant, which the store writes. */
export function newEntry({ entryId, requeued, item }: NewEntry): [before: string, after: Buffer] {
  const from = requeued ? `"requeued_from":${JSON.stringify(requeued.from)},` : "";
  const operation = requeued?.operationId ? `"operation_id":${JSON.stringify(requeued.operationId)},` : "";
  return [
    `{"entry_id":${JSON.stringify(entryId)},"attempts":0,"enqueued_at":"`,
    Buffer.concat([Buffer.from(`",${from}${operation}`), itemField(item)]),
  ];
}

/** The same bytes with one attempt more: only the number is replaced, whatever else another writer put in. */
export function withOneAttemptMore(bytes: Buffer, { attempts, attemptsAt }: Entry): Buffer {
  const [before, after] = [bytes.subarray(0, attemptsAt.start), bytes.subarray(attemptsAt.end)];
  return Buffer.concat([before, Buffer.from(String(attempts + 1)), after]);
}

/** By what an entry's returns are counted: its id; where it has none, what it is. */
export function returnsName(bytes: Buffer, entry: Entry | null): string {
  return entry?.entryId ?? `sha1:${sha1(bytes)}`;
}

export const sha1 = (bytes: Buffer) => createHash("sha1").update(bytes).digest("hex");
