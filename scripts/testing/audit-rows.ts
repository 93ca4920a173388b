import type { Pool } from "pg";
import { type AuditRow, recordAudit } from "@/lib/console/audit/record";
import { transaction } from "@/lib/db/pg";

const operation = (n: number) => `0197a6c2-0000-4000-8000-${String(n).padStart(12, "0")}`;
const actor = (n: number) => ({
  id: `u-${n % 7}`,
  name: ["Maya", "Jonas Lind", "É \u202e", "="][n % 4] ?? "",
  role: "operator",
});

/** One row of every sort that there is: intents and outcomes of operations, what has no operation, refusals, odd texts. */
export function auditRow(n: number): AuditRow {
  const given = { actor: actor(n), address: n % 3 === 0 ? null : "203.0.113.9", requestId: `r-${n}` };
  switch (n % 4) {
    case 0:
      return {
        ...given,
        phase: "intent",
        action: "requeue",
        operationId: operation(n >> 2),
        planHash: `plan-${n}`,
        target: { queue: "persistence-retry", letterId: `l-${n >> 2}` },
        reason: n % 8 === 0 ? "The zone is back." : "",
        acknowledged: n % 8 === 0 ? ["row_changed", "no,facts"] : [],
      };
    case 1:
      return {
        ...given,
        phase: "outcome",
        action: "requeue",
        operationId: operation(n >> 2),
        planHash: `plan-${n}`,
        target: { queue: "persistence-retry", letterId: `l-${n >> 2}` },
        outcome: "requeued",
        detail: { newJobId: `j-${n}`, exact: "9007199254740993", share: 0.1, none: null },
        reason: "reason",
      };
    case 2:
      return { ...given, phase: "refusal", action: "mend_catalog", target: {}, outcome: "needs_operator", detail: {} };
    default:
      return {
        ...given,
        phase: "outcome",
        action: "note",
        target: { group: String(n), note: "1" },
        detail: { body: "é" },
      };
  }
}

/** Writes rows `auditRow(from)` … through the writer itself, in one transaction. */
export function fillAudit(own: Pool, rows: number, from = 0): Promise<void> {
  return transaction(own, async (client) => {
    for (let n = from; n < from + rows; n += 1) await recordAudit(client, auditRow(n));
  });
}
