import type { Letter } from "@/lib/domain/dead-letter";
import { HIDDEN } from "@/lib/domain/mask-error";
import { PAYLOAD_SHOWN_MAX } from "@/lib/domain/payload-view";

/** Whether there is anything of a letter that a reveal would show. */
export function hasHiddenParts({ payload, error }: Pick<Letter, "payload" | "error">): boolean {
  // What is not JSON is hidden whole; what is too large is shown to nobody.
  const unread = payload.text === null && payload.bytes > 0 && payload.bytes <= PAYLOAD_SHOWN_MAX;
  return unread || payload.masked.length > 0 || payload.raw?.includes("‹redacted") === true || error.includes(HIDDEN);
}
