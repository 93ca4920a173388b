import { isUtf8 } from "node:buffer";
import { scanJson, unquote } from "@/lib/domain/json-scan";

/** A field of an object: its value's place in the bytes, and its own characters, one a byte (latin1). */
export type Field = { start: number; end: number; text: string };

/**
 * The fields of a JSON object in UTF-8, by their names. Null: the bytes are something else, or a name stands twice. Only
 * places are taken; no value is rebuilt.
 */
export function readFields(bytes: Buffer): Map<string, Field> | null {
  if (bytes[0] === undefined || !isUtf8(bytes)) return null;
  // One character a byte: places in the text are places in the bytes. JSON's own characters are all ASCII.
  const source = bytes.toString("latin1");
  const fields = new Map<string, Field>();
  let [depth, name, from, twice, root] = [0, "", 0, false, false];
  const keep = (start: number, end: number) => {
    if (fields.has(name)) twice = true;
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
  return stopped === null && root && !twice ? fields : null;
}

/** Whether the bytes are one JSON value in UTF-8. What the parser makes of it is thrown away: it knows the same grammar. */
export function isJson(bytes: Buffer): boolean {
  if (!isUtf8(bytes)) return false;
  try {
    JSON.parse(bytes.toString("latin1"));
    return true;
  } catch {
    return false;
  }
}

/** The string that a token of latin1 characters is in UTF-8; null where it is no string. */
export function textOf(latin1: string | undefined): string | null {
  if (!latin1?.startsWith('"')) return null;
  return unquote(Buffer.from(latin1, "latin1").toString("utf8"));
}

/** The whole number, not negative, that a token is; null where it is none, or beyond what counts here. */
export function countOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
