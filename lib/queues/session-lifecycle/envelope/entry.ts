import { countIn, instantIn, itemIn, odd, readFields, type Seen, stringIn } from "@/lib/db/json-fields";

/** An entry as it stands in a list, whoever wrote it. */
export type JournalEntry = {
  id: string;
  attempts: number;
  /** Ms since 1970; null where its writer left it out. */
  enqueuedMs: number | null;
  requeuedFrom: string | null;
  item: Buffer;
};

/** Reads an entry of any writer: any order of fields, blanks, fields of their own. */
export function readEntry(bytes: Buffer): Seen<JournalEntry> {
  const seen = readFields(bytes);
  if (seen.kind === "odd") return seen;
  const fields = seen.value;
  const id = stringIn(fields, "entry_id");
  const attempts = countIn(fields, "attempts");
  const item = itemIn(bytes, fields);
  if (id === null) return odd("without an entry_id");
  if (attempts === null) return odd("without attempts");
  if (item === null) return odd("without an item");
  const enqueuedMs = instantIn(fields, "enqueued_at");
  return {
    kind: "read",
    value: { id, attempts, enqueuedMs, requeuedFrom: stringIn(fields, "requeued_from"), item },
  };
}

/** Of a longer one only its head is looked at: it is asked for every second. Bytes. */
const WHOLE_MAX = 65_536;
const HEAD_BYTES = 1_024;
const ENQUEUED = /"enqueued_at"\s*:\s*"([^"\\]{1,40})"/;

/** When an entry was appended, ms since 1970; null where it does not tell. */
export function enqueuedMsOf(bytes: Buffer): number | null {
  if (bytes.length <= WHOLE_MAX) {
    const seen = readFields(bytes);
    return seen.kind === "read" ? instantIn(seen.value, "enqueued_at") : null;
  }
  const ms = Date.parse(ENQUEUED.exec(bytes.toString("latin1", 0, HEAD_BYTES))?.[1] ?? "");
  return Number.isNaN(ms) ? null : ms;
}
