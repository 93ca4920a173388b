import type { Answer, Outcome } from "./outcome";

/** Answers become outcomes in one place. */
export function outcomeOf(answer: Answer): Outcome {
  switch (answer) {
    case "requeued":
      return "awaiting";
    case "already_requeued":
      return "requeued_elsewhere";
    case "changed":
      return "skipped";
    case "not_found":
      return "left_elsewhere";
    case "undecodable":
      return "refused";
    default:
      return answer satisfies never;
  }
}

/** True when nothing more will be learned about it. */
export function isFinal(outcome: Outcome): boolean {
  return outcome !== "awaiting" && outcome !== "unknown";
}

/**
 * Whether `atMs` on the store's clock was before `thenMs` on the console's, by a reading of both clocks at about one
 * moment: they may be two databases, minutes apart. Only a clear second counts.
 */
export function clearlyBefore(atMs: number, thenMs: number, now: { storeMs: number; ownMs: number }): boolean {
  return atMs - now.storeMs < thenMs - now.ownMs - 1_000;
}
