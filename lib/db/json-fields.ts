import { isUtf8 } from "node:buffer";
import { scanJson, unquote } from "@/lib/domain/json-scan";

/** A field of an object: its value's place in the bytes, and its own characters, one a byte (latin1). */
export type Field = { start: number; end: number; text: string };
export type Fields = Map<string, Field>;

/** What bytes are, or in a few words why they are not that. */
export type Seen<T> = { kind: "read"; value: T } | { kind: "odd"; why: string };

export const odd = (why: string) => ({ kind: "odd", why }) as const;

/**
 * The fields of a JSON object in UTF-8 by their names, whatever their order and the blanks between them. Only places are
 * taken: no value is rebuilt.
 */
export function readFields(bytes: Buffer): Seen<Fields> {
  if (bytes.length === 0) return odd("empty");
  if (!isUtf8(bytes)) return odd("not UTF-8");
  // One character a byte: places in the text are places in the bytes. JSON's own characters are all ASCII.
  const source = bytes.toString("latin1");
  const fields: Fields = new Map();
  let [depth, name, from, root] = [0, "", 0, false];
  let twice: string | null = null;
  const keep = (start: number, end: number) => {
    if (fields.has(name)) twice ??= name;
    fields.set(name, { start, end, text: source.slice(start, end) });
  };
  const stopped = scanJson(source, {
    open(array, at) {
      if (depth === 0) root = !array;
      if (depth === 1) from = at;
      depth += 1;
    },
    close(at) {
      depth -= 1;
      if (depth === 1 && root) keep(from, at + 1);
    },
    key(text) {
      if (depth === 1) name = textOf(text) ?? "";
    },
    value(text, at) {
      if (depth === 1 && root) keep(at, at + text.length);
    },
  });
  if (stopped !== null) return odd("not JSON");
  if (!root) return odd("JSON, and no object");
  return twice === null ? { kind: "read", value: fields } : odd(`a field twice: ${String(twice).slice(0, 40)}`);
}

/** The string that a token of latin1 characters is in UTF-8; null where it is no string. */
export function textOf(latin1: string | undefined): string | null {
  if (!latin1?.startsWith('"')) return null;
  return unquote(Buffer.from(latin1, "latin1").toString("utf8"));
}

/** Null where it is absent, empty or no string. */
export const stringIn = (fields: Fields, name: string) => textOf(fields.get(name)?.text) || null;

/** The whole number, not negative, that a field is; null where it is none, or beyond what counts here. */
export function countIn(fields: Fields, name: string): number | null {
  const text = fields.get(name)?.text;
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** An instant as ms since 1970; null where it is none, or not in the years 1 to 9999. */
export function instantIn(fields: Fields, name: string): number | null {
  const ms = Date.parse(stringIn(fields, name) ?? "");
  return ms >= -62_135_596_800_000 && ms < 253_402_300_800_000 ? ms : null;
}

/** The item of an envelope, its bytes as they came in; null where there is none, or two. */
export function itemIn(bytes: Buffer, fields: Fields): Buffer | null {
  const [item, base64] = [fields.get("item"), fields.get("item_b64")];
  if ((item === undefined) === (base64 === undefined)) return null;
  if (item) return bytes.subarray(item.start, item.end);
  const text = textOf(base64?.text);
  const written = text === null ? null : Buffer.from(text, "base64");
  // By writing it again: a pattern would run out of its stack over some MB.
  return written?.toString("base64") === text ? written : null;
}
