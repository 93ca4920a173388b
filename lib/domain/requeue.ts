import { z } from "zod";
import { Answer, Outcome } from "./outcome";
import { Preflight } from "./preflight";

/** A stored plan as the panel shows it: what is shown is what is stored. */
export const Plan = z.object({ operationId: z.uuid(), preflight: Preflight });
export type Plan = z.infer<typeof Plan>;

/** Where an operation is: between intent and answer it is `intended`; `unknown` while a lost answer is read back. */
export const OperationState = z.enum(["planned", "intended", "unknown", "answered", "not_sent"]);
export type OperationState = z.infer<typeof OperationState>;

/** What became of one letter of an operation, so far. */
export const OperationView = z.object({
  operationId: z.uuid(),
  state: OperationState,
  letterId: z.string(),
  by: z.string(),
  intendedMs: z.number().nullable(),
  answer: Answer.nullable(),
  newJobId: z.string().nullable(),
  outcome: Outcome.nullable(),
  outcomeMs: z.number().nullable(),
  /** The letter that it died into again. */
  nextLetterId: z.string().nullable(),
  /** One sentence for the operator. */
  sentence: z.string(),
  /** The database clock at the reading. */
  atMs: z.number(),
});
export type OperationView = z.infer<typeof OperationView>;
