import type { Finding } from "@/lib/domain/preflight";

const ORDER = ["block", "warn", "unknown", "ok", "not_configured"];

/** The worst first; whatever is not in order names its place in the runbook. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings
    .toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity))
    .map((finding) => (finding.severity === "ok" ? finding : { ...finding, runbook: finding.code }));
}
