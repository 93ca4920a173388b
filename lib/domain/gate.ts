import type { Finding, Severity } from "./preflight";
import { seenLength } from "./unseen";

/** How many characters that are seen a reason needs once something was acknowledged. */
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

/** What a reason still lacks; null: it is one. Blanks, and what is not seen, do not count. */
export function reasonLacks(reason: string, min = REASON_MIN): string | null {
  return seenLength(reason) < min ? `give a reason of at least ${min} characters, spaces not counted` : null;
}

/** What is still missing before the click counts; empty: it may go. */
export function stillNeeded(gate: Gate, acknowledged: readonly string[], reason: string): string[] {
  if (gate.kind === "blocked") return ["a block cannot be acknowledged"];
  const open = gate.acknowledge.filter((finding) => !acknowledged.includes(finding.code)).length;
  const missing: string[] = [];
  if (open > 0) missing.push(`acknowledge ${open} warning${open === 1 ? "" : "s"}`);
  const lacks = reasonLacks(reason, gate.reasonMin);
  if (lacks !== null) missing.push(lacks);
  return missing;
}

const RANK: Record<Severity, number> = { block: 3, warn: 2, unknown: 2, not_configured: 0, ok: 0 };

/** Findings of `now` that the operator has not seen in `before`, or saw less severe: these stop a click. */
export function worsened(before: Finding[], now: Finding[]): Finding[] {
  const seen = new Map(before.map((finding) => [finding.code, RANK[finding.severity]]));
  return now.filter((finding) => RANK[finding.severity] > (seen.get(finding.code) ?? 0));
}
