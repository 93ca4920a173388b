import { z } from "zod";
import { FAULT_NAMES } from "./demo-fault-words";

/** What the demo can do to itself, beside breaking its catalog. */
export const FaultName = z.enum(FAULT_NAMES);
export type FaultName = z.infer<typeof FaultName>;

/** The fault that is open; there is at most one. Times in ms since 1970. */
export const FaultView = z.object({
  fault: FaultName,
  sinceMs: z.number(),
  /** When it is over by itself; null: when somebody mends it. */
  endsMs: z.number().nullable(),
  /** When the engine's process was frozen. */
  frozenMs: z.number().nullable(),
  /** Writes that it has concerned so far, of at most `writesMax`; how many of them wait, and how many are dead. */
  writes: z.number().int(),
  writesMax: z.number().int(),
  waiting: z.number().int(),
  letters: z.number().int(),
});
export type FaultView = z.infer<typeof FaultView>;
