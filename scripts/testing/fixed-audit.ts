import type { Pool } from "pg";
import type { AuditRow } from "@/lib/console/audit/audit-row";
import { recordAudit, SYSTEM } from "@/lib/console/audit/record";
import { transaction } from "@/lib/db/pg";
import type { FixedWorld } from "./fixed-world";

const MAYA = { id: "fixed-maya", name: "Maya Okafor", role: "operator" };
const JONAS = { id: "fixed-jonas", name: "Jonas Lind", role: "viewer" };
const OPERATION = "019a7f2c-0c1e-7a10-9b00-2f6d1c0a5e11";

/** Rows of each sort for pictures and for what is checked on every page; the first two are one requeue. */
export function makeFixedAudit(own: Pool, { safe, warned, blocked, recovered }: FixedWorld): Promise<void> {
  const letter = (letterId: string) => ({ queue: "persistence-retry", letterId });
  const requeue = {
    action: "requeue",
    actor: MAYA,
    target: letter(recovered),
    operationId: OPERATION,
    planHash: "9f2c5d0e7b1a4c3388d1",
    reason: "The catalog has the zone again, and the ledger has no row of this grant.",
    acknowledged: ["same_error_recently", "engine_slow"],
  };
  const rows: AuditRow[] = [
    { ...requeue, phase: "intent" },
    { ...requeue, phase: "outcome", outcome: "requeued", detail: { newJobId: "019a7f2c-51aa-7c02-9d10-0f3f5c7e9a20" } },
    { phase: "outcome", action: "sign_in", actor: JONAS, target: {}, outcome: "signed_in" },
    { phase: "refusal", action: "requeue", actor: JONAS, target: letter(safe), outcome: "needs_operator" },
    { phase: "refusal", action: "reveal", actor: JONAS, target: letter(warned), outcome: "needs_reveal" },
    {
      phase: "outcome",
      action: "resolve",
      actor: MAYA,
      target: { queue: "persistence-retry", letterIds: [blocked] },
      outcome: "done",
      detail: { changed: 1, left: [] },
      reason: "Applied by the reconciliation at sign-in.",
    },
    {
      phase: "outcome",
      action: "note",
      actor: MAYA,
      target: { group: "1" },
      detail: { body: "Catalog 2026.11.14-2 lost zones 418, 419 and 421. Its owners know." },
    },
    { phase: "outcome", action: "break_catalog", actor: SYSTEM, target: {}, outcome: "broken" },
  ];
  return transaction(own, async (client) => {
    for (const row of rows) await recordAudit(client, { address: "203.0.113.9", ...row });
  });
}
