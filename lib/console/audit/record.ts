import pg from "pg";
import { type Queryable, transaction } from "@/lib/db/pg";
import { appendRow, LOCK_AUDIT } from "./append";
import type { Actor, AuditRow } from "./audit-row";

export type { Actor, AuditRow } from "./audit-row";
export const SYSTEM: Actor = { id: "system", name: "system", role: "system" };

/**
 * Adds one row at the end of its chain. There is no way to change or remove one: the working role has no right to. Give
 * the client of a transaction to have the row stand or fall with what it tells of, and give it last: until the
 * transaction ends no other row can be written.
 */
export async function recordAudit(db: Queryable, row: AuditRow): Promise<void> {
  if (db instanceof pg.Pool) return transaction(db, (client) => appendRow(client, row), `begin; ${LOCK_AUDIT}`);
  await db.query(LOCK_AUDIT);
  return appendRow(db, row);
}
