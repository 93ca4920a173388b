import { createHash } from "node:crypto";
import type { AuditFilter } from "@/lib/domain/audit-entry";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Every text that a target holds: as the index `audit_target` has it. */
const NAMED = `jsonb_path_query_array(a.target, 'strict $.** ? (@.type() == "string")')`;

/** A filter as conditions on `a`, of fixed fragments, and their parameters from $1 on. `named` names a statement of it. */
export function auditFilterSql({ fromMs, toMs, who, action, phase, target, within }: AuditFilter) {
  const values: unknown[] = [];
  const where: string[] = [];
  const given = (value: unknown) => {
    values.push(value);
    return `$${values.length}`;
  };
  if (fromMs !== undefined) where.push(`a.at >= to_timestamp(${given(fromMs)}::float8 / 1000)`);
  if (toMs !== undefined) where.push(`a.at < to_timestamp(${given(toMs)}::float8 / 1000)`);
  if (who !== undefined) where.push(`a.actor_id = ${given(who)}`);
  if (action !== undefined) where.push(`a.action = ${given(action)}`);
  if (phase !== undefined) where.push(`a.phase = ${given(phase)}`);
  if (target !== undefined) {
    const operation = UUID.test(target) ? ` or a.operation_id = ${given(target)}::uuid` : "";
    where.push(`(${NAMED} @> jsonb_build_array(${given(target)}::text)${operation})`);
  }
  if (within !== undefined) {
    const queues = given(within.queues);
    where.push(`(a.target ->> 'queue' = any(${queues}::text[]) or a.actor_id = ${given(within.userId)})`);
  }
  const text = where.join(" and ") || "true";
  const named = (what: string) => `audit_${what}_${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
  return { where: text, values, named };
}
