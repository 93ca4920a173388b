import { z } from "zod";
import type { AuditContent } from "./chain";

/** How an instant is hashed: UTC, to the microsecond, for `to_char`. */
export const ISO = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';

/** What a row of the audit (`a`) says, as the texts that are hashed. */
export const CONTENT_COLUMNS = `to_char(a.at at time zone 'UTC', '${ISO}') as at, a.phase, a.action, a.actor_id, a.actor_name,
  a.actor_role, a.address, a.operation_id::text, a.target::text, a.plan_hash, a.reason,
  to_jsonb(a.acknowledged)::text as acknowledged, a.outcome, a.detail::text, a.request_id`;

const text = z.string().nullable();

/** These columns, as they come in; null all of them where there is no row. */
export const ContentRow = z.object({
  at: text,
  phase: text,
  action: text,
  actor_id: text,
  actor_name: text,
  actor_role: text,
  address: text,
  operation_id: text,
  target: text,
  plan_hash: text,
  reason: text,
  acknowledged: text,
  outcome: text,
  detail: text,
  request_id: text,
});

export const contentOf = (row: z.output<typeof ContentRow>): AuditContent => ({
  at: row.at,
  phase: row.phase,
  action: row.action,
  actorId: row.actor_id,
  actorName: row.actor_name,
  actorRole: row.actor_role,
  address: row.address,
  operationId: row.operation_id,
  target: row.target,
  planHash: row.plan_hash,
  reason: row.reason,
  acknowledged: row.acknowledged,
  outcome: row.outcome,
  detail: row.detail,
  requestId: row.request_id,
});
