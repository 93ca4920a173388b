import type { StateName } from "@/components/ui/state-words";
import type { LetterPage } from "@/lib/console/letters/read-letter";

/** What a letter's head calls it: what its store says, and where the archive knows more, that. */
export function shownState({ letter, from, kept }: LetterPage): StateName {
  const state = kept.kind === "read" ? kept.value?.state : undefined;
  if (state === undefined) return letter.state;
  if (from.kind !== "store") return state === "open" ? "active" : state;
  if (letter.state === "active" && state === "resolved") return state;
  if (letter.state === "awaiting" && state === "requeued_elsewhere") return state;
  return letter.state;
}
