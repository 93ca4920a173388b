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
});
export type Finding = z.infer<typeof Finding>;

/** One line of 'what a requeue would do': values as they would be written, source text. */
export const Effect = z.object({
  field: z.string(),
  payload: z.string(),
  now: z.string(),
  after: z.string(),
  note: z.string().nullable(),
  change: z.enum(["same", "changed", "harmful"]),
});
export type Effect = z.infer<typeof Effect>;

/** What the engine must find unchanged when the requeue arrives. */
export const Expect = z.object({
  characterVersion: z.string().nullable().optional(),
  session: z.enum(["active", "inactive"]).optional(),
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

/** How many characters a reason needs once something was acknowledged. */
export const REASON_MIN = 10;
export const REASON_MAX = 1_000;

/** What stands between the operator and the click. */
export type Gate = { kind: "blocked"; blocks: Finding[] } | { kind: "open"; acknowledge: Finding[]; reasonMin: number };

/** A block cannot be clicked away; each warning and each unknown is acknowledged, and then a reason is due. */
export function gateOf(findings: Finding[]): Gate {
  const blocks = findings.filter((finding) => finding.severity === "block");
  if (blocks.length > 0) return { kind: "blocked", blocks };
  const acknowledge = findings.filter((finding) => finding.severity === "warn" || finding.severity === "unknown");
  return { kind: "open", acknowledge, reasonMin: acknowledge.length > 0 ? REASON_MIN : 0 };
}

/** What is still missing before the click counts; empty: it may go. */
export function stillNeeded(gate: Gate, acknowledged: readonly string[], reason: string): string[] {
  if (gate.kind === "blocked") return ["a block cannot be acknowledged"];
  const open = gate.acknowledge.filter((finding) => !acknowledged.includes(finding.code)).length;
  const missing: string[] = [];
  if (open > 0) missing.push(`acknowledge ${open} warning${open === 1 ? "" : "s"}`);
  if (reason.trim().length < gate.reasonMin) missing.push(`give a reason of at least ${gate.reasonMin} characters`);
  return missing;
}

const RANK: Record<Severity, number> = { block: 3, warn: 2, unknown: 2, not_configured: 0, ok: 0 };

/** Findings of `now` that the operator has not seen in `before`, or saw less severe: these stop a click. */
export function worsened(before: Finding[], now: Finding[]): Finding[] {
  const seen = new Map(before.map((finding) => [finding.code, RANK[finding.severity]]));
  return now.filter((finding) => RANK[finding.severity] > (seen.get(finding.code) ?? 0));
}
