import type { Pool } from "pg";
import { z } from "zod";
import { maybe, ms, one, type Queryable, type Sql } from "@/lib/db/pg";
import { type AuditCheck, AuditFinding } from "@/lib/domain/audit-check";
import { verifyAudit } from "./verify";

/** The hour of the day (UTC) from which the night's check is due. */
const NIGHT_HOUR = 2;
/** How many of what it found a check keeps; the rest it counts. */
const KEPT_MAX = 100;

/** $1 hour. By the database's clock: no check since the last time that it was this hour. */
const DUE: Sql = {
  name: "audit_check_due",
  text: `select not exists (select from backstop.audit_checks
    where at >= (date_trunc('day', (statement_timestamp() at time zone 'UTC') - $1::int * interval '1 hour')
      + $1::int * interval '1 hour') at time zone 'UTC') as due`,
};

/** $1 rows · $2 newest row · $3 its head · $4 wrong · $5 findings */
const KEEP: Sql = {
  name: "audit_check_keep",
  text: `insert into backstop.audit_checks (rows, last_id, head, wrong, findings)
    values ($1, $2, decode($3, 'hex'), $4, $5::jsonb) returning check_id`,
};

/** The night's check, where it is due: its findings are kept for the page, and logged. Null: it was done already. */
export async function checkNightly(own: Pool): Promise<AuditCheck | null> {
  const { due } = await one(own, DUE, z.object({ due: z.boolean() }), [NIGHT_HOUR]);
  if (!due) return null;
  const check = await verifyAudit(own);
  await keepCheck(own, check);
  const { findings, ...rest } = check;
  console.error(JSON.stringify({ event: "audit_check", ...rest, findings: findings.slice(0, KEPT_MAX) }));
  return check;
}

/** Keeps what a check found. From then on the head that it saw must stay. */
export async function keepCheck(db: Queryable, { rows, lastId, head, wrong, findings }: AuditCheck): Promise<void> {
  const kept = JSON.stringify(findings.slice(0, KEPT_MAX));
  await one(db, KEEP, z.object({ check_id: z.string() }), [rows, lastId, head, wrong, kept]);
}

const LAST: Sql = {
  name: "audit_check_last",
  text: `select ${ms("at")} as at_ms, rows::float8 as rows, wrong::float8 as wrong, findings
    from backstop.audit_checks order by check_id desc limit 1`,
};
const LastRow = z
  .object({ at_ms: z.number(), rows: z.number(), wrong: z.number(), findings: z.array(AuditFinding) })
  .transform(({ at_ms, ...rest }) => ({ atMs: at_ms, ...rest }));
export type LastCheck = z.output<typeof LastRow>;

/** The newest check; null: none yet. */
export function findLastCheck(own: Pool): Promise<LastCheck | null> {
  return maybe(own, LAST, LastRow);
}
