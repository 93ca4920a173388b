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
export const isBareJson = (bytes: Buffer) => isUtf8(bytes) && isBareText(bytes.toString("latin1"));

const BLANK = /^[ \t\n\r]|[ \t\n\r]$/;

/** The same, of the characters (latin1) of bytes that are UTF-8. What the parser makes of it is thrown away: it knows the same grammar. */
export function isBareText(latin1: string): boolean {
  if (BLANK.test(latin1)) return false;
  try {
    JSON.parse(latin1);
    return true;
  } catch {
    return false;
  }
}
