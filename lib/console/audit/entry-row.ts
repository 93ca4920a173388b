import { z } from "zod";
import { ms } from "@/lib/db/pg";
import { type AuditEntry, AuditPhase } from "@/lib/domain/audit-entry";

/** Columns of an entry, of `a`. */
export const ENTRY_COLUMNS = `a.audit_id::text, ${ms("a.at")} as at_ms, a.at::text as cursor_at, a.phase, a.action, a.actor_id,
  a.actor_name, a.actor_role, a.address, a.operation_id::text, a.target, a.plan_hash, a.reason, a.acknowledged, a.outcome,
  a.detail, a.request_id`;

const text = z.string().nullable();
const Json = z.record(z.string(), z.unknown());

export const EntryRow = z
  .object({
    audit_id: z.string(),
    at_ms: z.number(),
    cursor_at: z.string(),
    phase: AuditPhase,
    action: z.string(),
    actor_id: z.string(),
    actor_name: z.string(),
    actor_role: z.string(),
    address: text,
    operation_id: text,
    target: Json,
    plan_hash: text,
    reason: text,
    acknowledged: z.array(z.string()),
    outcome: text,
    detail: Json.nullable(),
    request_id: text,
  })
  .transform((row): AuditEntry & { cursorAt: string } => ({
    id: row.audit_id,
    atMs: row.at_ms,
    cursorAt: row.cursor_at,
    phase: row.phase,
    action: row.action,
    actor: { id: row.actor_id, name: row.actor_name, role: row.actor_role },
    address: row.address,
    operationId: row.operation_id,
    target: row.target,
    planHash: row.plan_hash,
    reason: row.reason,
    acknowledged: row.acknowledged,
    outcome: row.outcome,
    detail: row.detail,
    requestId: row.request_id,
  }));
