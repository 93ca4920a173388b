import { type Field, isJson, textOf } from "./fields";

/** The item of an envelope, its bytes as they came in; null where there is none, or two. */
export function readItem(bytes: Buffer, fields: Map<string, Field>): Buffer | null {
  const [item, base64] = [fields.get("item"), fields.get("item_b64")];
  if ((item === undefined) === (base64 === undefined)) return null;
  if (item) return bytes.subarray(item.start, item.end);
  const text = textOf(base64?.text);
  if (text === null) return null;
  // Node reads anything as base64, and passes over what is none.
  const decoded = Buffer.from(text, "base64");
  return decoded.toString("base64") === text ? decoded : null;
}

/**
 * The last field of an envelope, and its end: the item spliced in where it can stand in JSON, else as base64. JSON with
 * blanks around it cannot stand there and come back with them.
 */
export function itemField(item: Buffer): Buffer {
  if (isBareJson(item)) {
    return Buffer.concat([Buffer.from('"item":'), item, Buffer.from("}")]);
  }
  return base64Field(item);
}

export const base64Field = (bytes: Buffer) => Buffer.from(`"item_b64":"${bytes.toString("base64")}"}`);

/** One JSON value without blanks around it. */
export const isBareJson = (bytes: Buffer) => !isBlank(bytes[0]) && !isBlank(bytes.at(-1)) && isJson(bytes);

const isBlank = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
