import { z } from "zod";

export const Severity = z.enum(["block", "warn", "unknown", "ok", "not_configured"]);
export type Severity = z.infer<typeof Severity>;

export const Evidence = z.object({ label: z.string(), value: z.string(), href: z.string().optional() });
export type Evidence = z.infer<typeof Evidence>;

/** One check before a requeue, with what it found and the rows that prove it. */
export const Finding = z.object({
  code: z.string(),
  severity: Severity,
  title: z.string(),
  reason: z.string().optional(),
  evidence: z.array(Evidence),
  whatToDo: z.string().optional(),
  /** The sentence that the operator agrees to, for a warning or an unknown. */
  acknowledgement: z.string().optional(),
  /** The anchor in the runbook that says more. */
  runbook: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;

/**
 * One line of 'what a requeue would do': values as they would be written, source text. `writes` is what the requeue is
 * for; `resolves`: a row that it refers to is there; `attention`: look before you click; `harmful`: newer data is lost.
 */
export const Effect = z.object({
  field: z.string(),
  payload: z.string(),
  now: z.string(),
  after: z.string(),
  note: z.string().nullable(),
  change: z.enum(["same", "writes", "resolves", "attention", "harmful"]),
});
export type Effect = z.infer<typeof Effect>;

/** What the engine must find unchanged when the requeue arrives. */
export const Expect = z.object({
  characterVersion: z.string().nullable().optional(),
  session: z.enum(["active", "inactive"]).optional(),
  /** What a player could resume with. */
  resumeLedger: z.enum(["present", "absent"]).optional(),
});
export type Expect = z.infer<typeof Expect>;

/** The whole preflight of one letter. `effects` null: there are no facts to tell them from. */
export const Preflight = z.object({
  letterId: z.string(),
  readMs: z.number(),
  findings: z.array(Finding),
  effects: z.array(Effect).nullable(),
  effectsCut: z.boolean(),
  expect: Expect.nullable(),
});
export type Preflight = z.infer<typeof Preflight>;
