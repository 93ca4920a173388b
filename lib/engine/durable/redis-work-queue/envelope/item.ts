import { isUtf8 } from "node:buffer";

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
