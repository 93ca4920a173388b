import { createHash } from "node:crypto";
import { countOf, type Field, readFields, textOf } from "./fields";
import { itemField, readItem } from "./item";

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
  const fields = readFields(bytes);
  if (fields === null) return null;
  const entryId = stringIn(fields, "entry_id");
  const counted = fields.get("attempts");
  const attempts = countOf(counted?.text);
  const item = readItem(bytes, fields);
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

/** Null where it is absent, empty or no string. */
export const stringIn = (fields: Map<string, Field>, name: string) => textOf(fields.get(name)?.text) || null;
