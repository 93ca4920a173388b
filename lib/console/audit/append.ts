import { z } from "zod";
import { afterCommit } from "@/lib/db/after-commit";
import { execute, one, type Queryable, type Sql } from "@/lib/db/pg";
import type { AuditRow } from "./audit-row";
import { type AuditContent, headHash, NOTHING, rowHash } from "./chain";
import { ISO } from "./columns";

/**
 * One lock for all chains, since their heads are one chain, held until the transaction ends. The statement after it sees
 * what its last holder committed.
 */
export const LOCK_AUDIT = "select pg_advisory_xact_lock(hashtextextended('backstop.audit', 0))";

/** $1 operation · $2 target · $3 detail · $4 acknowledged. These as Postgres writes them, the time, and where the row comes to stand. */
const PLACE: Sql = {
  name: "audit_place",
  text: `with moment as materialized (select to_char(clock_timestamp() at time zone 'UTC', '${ISO}') as at),
    named as (select at, coalesce($1::uuid::text, 'day:' || left(at, 10)) as chain from moment)
    select n.at, n.chain, $1::uuid::text as operation_id, $2::jsonb::text as target, $3::jsonb::text as detail,
      to_jsonb($4::text[])::text as acknowledged, coalesce(p.place, 0) + 1 as place, encode(p.hash, 'hex') as previous,
      coalesce(l.audit_id, 0) + 1 as id, encode(l.head, 'hex') as last_head
    from named n
    left join lateral (select place, hash from backstop.audit_heads where chain = n.chain order by place desc limit 1) p on true
    left join lateral (select audit_id, head from backstop.audit_heads order by audit_id desc limit 1) l on true`,
};
const PlaceRow = z.object({
  at: z.string(),
  chain: z.string(),
  operation_id: z.string().nullable(),
  target: z.string(),
  detail: z.string().nullable(),
  acknowledged: z.string(),
  place: z.number(),
  previous: z.string().nullable(),
  id: z.string(),
  last_head: z.string().nullable(),
});

/** $1 id · $2 chain · $3 place · $4 previous · $5 hash · $6 previous head · $7 head · $8…$22 what the row says; both or neither. */
const APPEND: Sql = {
  name: "audit_append",
  text: `with written as (
      insert into backstop.audit (audit_id, chain, place, previous, hash, at, phase, action, actor_id, actor_name, actor_role,
        address, operation_id, target, plan_hash, reason, acknowledged, outcome, detail, request_id)
      values ($1, $2, $3, decode($4, 'hex'), decode($5, 'hex'), $8::timestamptz, $9, $10, $11, $12, $13, $14, $15, $16::jsonb,
        $17, $18, $19, $20, $21::jsonb, $22))
    insert into backstop.audit_heads (audit_id, chain, place, hash, previous, head)
    values ($1, $2, $3, decode($5, 'hex'), decode($6, 'hex'), decode($7, 'hex'))`,
};

/** Adds a row at the end of its chain. `client` is in a transaction that holds the lock. Its head is logged once that is committed. */
export async function appendRow(client: Queryable, row: AuditRow): Promise<void> {
  const acknowledged = row.acknowledged ?? [];
  const given = [row.operationId ?? null, JSON.stringify(row.target), row.detail ? JSON.stringify(row.detail) : null];
  const placed = await one(client, PLACE, PlaceRow, [...given, acknowledged]);
  const content: AuditContent = {
    at: placed.at,
    phase: row.phase,
    action: row.action,
    actorId: row.actor.id,
    actorName: row.actor.name,
    actorRole: row.actor.role,
    address: row.address ?? null,
    operationId: placed.operation_id,
    target: placed.target,
    planHash: row.planHash ?? null,
    reason: row.reason ?? null,
    acknowledged: placed.acknowledged,
    outcome: row.outcome ?? null,
    detail: placed.detail,
    requestId: row.requestId ?? null,
  };
  const { id, chain, place } = placed;
  const previous = placed.previous ?? NOTHING;
  const lastHead = placed.last_head ?? NOTHING;
  const hash = rowHash(content, { id, chain, place, previous });
  const head = headHash({ id, chain, place, hash, previous: lastHead });
  const says = { ...content, acknowledged };
  await execute(client, APPEND, [id, chain, place, previous, hash, lastHead, head, ...Object.values(says)]);
  // Whoever rewrites the whole database does not reach the log.
  afterCommit(client, () => console.error(JSON.stringify({ event: "audit_head", id, chain, place, hash, head })));
}
