import { execute, type Queryable, type Sql } from "@/lib/db/pg";

/** Who did it, as they were then. `system` has done what no person asked for. */
export type Actor = { id: string; name: string; role: string };
export const SYSTEM: Actor = { id: "system", name: "system", role: "system" };

/** One line of the audit. Intent before anything is sent, outcome after, refusal where nothing was done. */
export type AuditRow = {
  phase: "intent" | "outcome" | "refusal";
  /** A verb of the desk: `requeue`, `sign_in`, `set_up`. */
  action: string;
  actor: Actor;
  /** What it was done to, as ids. Never a secret, never a session token. */
  target: Record<string, unknown>;
  address?: string | null;
  operationId?: string | null;
  planHash?: string | null;
  reason?: string | null;
  /** Codes of the findings that the operator acknowledged. */
  acknowledged?: readonly string[];
  outcome?: string | null;
  detail?: Record<string, unknown> | null;
  requestId?: string | null;
};

/** $1…$14 as listed */
const INSERT: Sql = {
  name: "audit_insert",
  text: `insert into backstop.audit (phase, action, actor_id, actor_name, actor_role, address, operation_id, target,
  plan_hash, reason, acknowledged, outcome, detail, request_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
};

/**
 * Adds one row. There is no way to change or remove one: the working role has no right to. Give the client of a
 * transaction to have the row stand or fall with what it tells of.
 */
export async function recordAudit(db: Queryable, row: AuditRow): Promise<void> {
  await execute(db, INSERT, [
    row.phase,
    row.action,
    row.actor.id,
    row.actor.name,
    row.actor.role,
    row.address ?? null,
    row.operationId ?? null,
    JSON.stringify(row.target),
    row.planHash ?? null,
    row.reason ?? null,
    row.acknowledged ?? [],
    row.outcome ?? null,
    row.detail ? JSON.stringify(row.detail) : null,
    row.requestId ?? null,
  ]);
}
