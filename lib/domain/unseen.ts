// Characters that change how a text looks and are not seen themselves: control characters, those that turn the direction
// of writing round, and blanks of no width. Tabs and line ends stay, and what joins emoji and letters.
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\r(?!\n)|[\u{e0000}-\u{e007f}]/gu;

const NAMES: Record<number, string> = {
  0: "NUL",
  7: "BEL",
  8: "BS",
  13: "CR",
  27: "ESC",
  127: "DEL",
  155: "CSI",
  8203: "ZWSP",
  8206: "LRM",
  8207: "RLM",
  8234: "LRE",
  8235: "RLE",
  8236: "PDF",
  8237: "LRO",
  8238: "RLO",
  8294: "LRI",
  8295: "RLI",
  8296: "FSI",
  8297: "PDI",
  65279: "BOM",
};

/** A text in which everything is seen: `‹ESC›[31m`, `‹RLO›`, `‹U+0085›`. */
export function markUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `‹${NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`}›`;
  });
}

/** JSON in which everything is seen, and which reads back as the very same: what `markUnseen` would mark is escaped by its code. */
export function escapeUnseen(json: string): string {
  const unit = (text: string, at: number) => text.charCodeAt(at).toString(16).padStart(4, "0");
  return json.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${unit(character, at)}`).join(""),
  );
}

/**
 * What is not seen by itself, as the inside of a character class. Fillers of Hangul and the blank of Braille count as
 * letters and symbols, and are empty all the same.
 */
export const NOTHING_TO_SEE = String.raw`\p{C}\p{Z}\p{M}\u115f\u1160\u3164\uffa0\u2800`;
const EACH_NOT_SEEN = new RegExp(`[${NOTHING_TO_SEE}]`, "gu");

/** What of a text is seen by itself: no blanks, no marks, nothing of no width. */
export function seenText(text: string): string {
  return text.replace(EACH_NOT_SEEN, "");
}

/** How many characters (code points) of a text are seen by themselves. */
export function seenLength(text: string): number {
  return [...seenText(text)].length;
}
