import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { countIn, itemIn, readFields, stringIn, textOf } from "@/lib/db/json-fields";
import { type Entry, PLAIN } from "./entry";
import { base64Field, isBareText, itemField } from "./item";

/** A dead letter as it stands in the list. */
export type Letter = {
  deadLetterId: string;
  /** Empty: what died was not an entry, and `item` is all of its bytes. */
  entryId: string;
  failedAttempts: number;
  error: string;
  /** ISO 8601; null where another writer left it out. */
  deadLetteredAt: string | null;
  /** The letter that its entry had been requeued from, and by which operation. */
  requeuedFrom: string | null;
  operationId: string | null;
  item: Buffer;
};

/** Characters of an error that a letter keeps. */
const ERROR_MAX = 16_384;

/** Reads a letter of any writer. Null: this is not a letter. */
export function readLetter(bytes: Buffer): Letter | null {
  return readOurs(bytes) ?? readAny(bytes);
}

const OURS = new RegExp(
  `^\\{"dead_letter_id":"${PLAIN}","entry_id":"${PLAIN}","failed_attempts":(\\d{1,9}),"error":("(?:[^"\\\\]|\\\\.)*"),` +
    `"dead_lettered_at":"${PLAIN}",(?:"requeued_from":"${PLAIN}",)?(?:"operation_id":"${PLAIN}",)?"item":`,
);
const HEAD_MAX = 2_048;

/** A letter as `newLetter` writes it, as `readEntry` reads its own; null: it must be read as any. */
function readOurs(bytes: Buffer): Letter | null {
  const source = bytes.toString("latin1");
  const head = OURS.exec(source.slice(0, HEAD_MAX));
  if (head === null || bytes.at(-1) !== 0x7d || !isUtf8(bytes)) return null;
  const [text, deadLetterId = "", entryId = "", count = "", error, deadLetteredAt = "", from = null, by = null] = head;
  const item = bytes.subarray(text.length, -1);
  if (/^0\d/.test(count) || !isBareText(source.slice(text.length, -1))) return null;
  const said = saidIn(error);
  if (said === null) return null;
  return {
    ...{ deadLetterId, entryId, failedAttempts: Number(count), error: said, deadLetteredAt },
    ...{ requeuedFrom: from, operationId: by, item },
  };
}

const BARE = /^"[ !#-[\]-~]*"$/;

/** The text that a token of latin1 characters stands for; null where it is no JSON string. */
function saidIn(token = ""): string | null {
  if (BARE.test(token)) return token.slice(1, -1);
  try {
    return textOf(token);
  } catch {
    return null;
  }
}

function readAny(bytes: Buffer): Letter | null {
  const seen = readFields(bytes);
  if (seen.kind === "odd") return null;
  const fields = seen.value;
  const deadLetterId = stringIn(fields, "dead_letter_id");
  const entryId = textOf(fields.get("entry_id")?.text);
  const failedAttempts = countIn(fields, "failed_attempts");
  const item = itemIn(bytes, fields);
  if (!deadLetterId || entryId === null || failedAttempts === null || item === null) return null;
  return {
    deadLetterId,
    entryId,
    failedAttempts,
    error: textOf(fields.get("error")?.text) ?? "",
    deadLetteredAt: stringIn(fields, "dead_lettered_at"),
    requeuedFrom: stringIn(fields, "requeued_from"),
    operationId: stringIn(fields, "operation_id"),
    item,
  };
}

export type NewLetter = {
  deadLetterId: string;
  /** Its bytes before and after the instant, which the store writes. */
  before: string;
  after: Buffer;
  /** The letter whose requeue this ends, or empty, and what follows the time in its outcome. */
  from: string;
  outcome: string;
};

/** The letter of what could not be worked off. `entry` null: the bytes are no entry, and all of them are kept. */
export function newLetter(bytes: Buffer, entry: Entry | null, failedAttempts: number, error: string): NewLetter {
  const deadLetterId = randomUUID();
  const head = [
    `"dead_letter_id":"${deadLetterId}"`,
    `"entry_id":${JSON.stringify(entry?.entryId ?? "")}`,
    `"failed_attempts":${failedAttempts}`,
    `"error":${JSON.stringify(error.slice(0, ERROR_MAX))}`,
    '"dead_lettered_at":"',
  ];
  const from = entry?.requeuedFrom ? `"requeued_from":${JSON.stringify(entry.requeuedFrom)},` : "";
  const operation = entry?.operationId ? `"operation_id":${JSON.stringify(entry.operationId)},` : "";
  const item = entry === null ? base64Field(bytes) : itemField(entry.item);
  return {
    deadLetterId,
    before: `{${head.join(",")}`,
    after: Buffer.concat([Buffer.from(`",${from}${operation}`), item]),
    from: entry?.requeuedFrom ?? "",
    outcome: entry === null ? "" : outcomeTail(entry, "died_again", deadLetterId),
  };
}

/** What follows the time in the outcome of the letter that an entry came from. */
export function outcomeTail(entry: Entry, outcome: "recovered" | "superseded" | "died_again", next?: string): string {
  const fields = {
    outcome,
    entry_id: entry.entryId,
    ...(next === undefined ? {} : { next_dead_letter_id: next }),
    ...(entry.operationId === null ? {} : { operation_id: entry.operationId }),
  };
  return `,${JSON.stringify(fields).slice(1)}`;
}
