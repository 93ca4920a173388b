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
