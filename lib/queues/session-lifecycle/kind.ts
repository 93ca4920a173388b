import { readCleanup } from "./cleanup";
import type { JournalLetter } from "./envelope/letter";

/** The one sort of work that the journal has (`RealtimeStreamCleanup`); and bytes that are nothing of the sort. */
export const CLEANUP = "realtime_stream_cleanup";
const UNREADABLE = "unreadable";

/** What sort of work a letter is. */
export function kindOf({ odd, entryId, item }: Pick<JournalLetter, "odd" | "entryId" | "item">): string {
  return odd === null && entryId !== null && readCleanup(item).kind === "read" ? CLEANUP : UNREADABLE;
}
