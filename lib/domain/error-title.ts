import { type Marks, markPieces, type PieceType } from "./error-pieces";

const TYPES: PieceType[] = ["url", "uuid", "time", "host", "value", "path", "hex", "n", "id"];
/** Private characters: in the patterns they count for no more than the `#` of a fingerprint does. */
const FIRST = 0xe000;
const MARK = new RegExp(`[\\u{${FIRST.toString(16)}}-\\u{${(FIRST + TYPES.length - 1).toString(16)}}]`, "gu");
const MARKS: Marks = {
  of: (type) => String.fromCharCode(FIRST + TYPES.indexOf(type)),
  list: new RegExp(`(?:#|${MARK.source})(?:[\\s,;.-]{0,4}(?:#|${MARK.source}))+`, "gu"),
};
const TITLE_MAX = 400;

/**
 * An error in words, with a mark where each of its kind differs: `no zone ‹n› in ‹value›`. By the rules of the
 * fingerprint: two errors of one title have one fingerprint, but for what is cut off after 400 characters.
 */
export function errorTitle(error: string): string {
  const own = error.slice(0, 4_096).replace(MARK, "\ufffd");
  const words = markPieces(own, MARKS).replace(MARK, (mark) => `‹${TYPES[mark.charCodeAt(0) - FIRST]}›`);
  if (words === "") return "(no text)";
  const characters = [...words];
  return characters.length > TITLE_MAX ? `${characters.slice(0, TITLE_MAX).join("")}…` : words;
}

export type TitlePart = { text: string; placeholder: boolean };

/** A title in pieces, for a screen that shows its placeholders as what they are. */
export function titleParts(title: string): TitlePart[] {
  return title
    .split(/(‹[a-z]{1,8}›)/)
    .filter(Boolean)
    .map((text) => {
      const placeholder = /^‹[a-z]{1,8}›$/.test(text);
      return { text: placeholder ? text.slice(1, -1) : text, placeholder };
    });
}
