import { z } from "zod";

/** What became of a requeued letter. */
export const Outcome = z.enum([
  "awaiting",
  "recovered",
  "superseded",
  "died_again",
  "left_unproved",
  "skipped",
  "requeued_elsewhere",
  "left_elsewhere",
  "refused",
  "unknown",
]);
export type Outcome = z.infer<typeof Outcome>;

/** What the engine answered for one letter. */
export const Answer = z.enum(["requeued", "already_requeued", "changed", "not_found", "undecodable"]);
export type Answer = z.infer<typeof Answer>;

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
