import { z } from "zod";
import { NOTHING_TO_SEE, seenLength } from "@/lib/domain/unseen";

const SEEN = `[^${NOTHING_TO_SEE}]`;
/** What joins, or keeps apart, two letters or emoji: of no width itself, and a part of how they are written. */
const JOINERS = new RegExp(String.raw`(?<=${SEEN}\p{M}{0,4})[\u200c\u200d](?=${SEEN})`, "gu");

export const NAME_MAX = 80;

/** What keeps a text from being a name, in a sentence; null: nothing. `missing` is the sentence for none. */
function whyNoName(text: string, missing: string): string | null {
  if (text === "") return missing;
  if (text.length > NAME_MAX) return `At most ${NAME_MAX} characters.`;
  if (/[\n\r\v\f\u0085\u2028\u2029]/.test(text)) return "No line breaks.";
  if (/\p{C}/u.test(text.replace(JOINERS, ""))) return "No control characters, nor others that are not seen.";
  if (seenLength(text) === 0) return "At least one character of it must be seen.";
  return /\p{M}{5}/u.test(text) ? "At most 4 marks over one letter." : null;
}

/**
 * A name that others read in a line with more: of a user, or of a token. Trimmed.
 * @param missing the sentence where there is none
 */
export const nameText = (missing: string) =>
  z
    .string(missing)
    .trim()
    .superRefine((text, context) => {
      const message = whyNoName(text, missing);
      if (message !== null) context.addIssue({ code: "custom", message });
    });
