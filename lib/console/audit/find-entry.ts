import type { Pool } from "pg";
import { z } from "zod";
import { many, maybe, type Sql } from "@/lib/db/pg";
import type { AuditEntry, AuditFilter } from "@/lib/domain/audit-entry";
import { ENTRY_COLUMNS, EntryRow } from "./entry-row";
import { auditFilterSql } from "./filter-sql";

/** Where a row stands in its chain; hashes in hex. */
export type ChainFacts = { chain: string; place: number; hash: string; previous: string; head: string | null };

/** $1 number. No row: it is of before the chain. */
const FACTS: Sql = {
  name: "audit_chain_facts",
  text: `select a.chain, a.place, encode(a.hash, 'hex') as hash, encode(a.previous, 'hex') as previous,
      encode(h.head, 'hex') as head
    from backstop.audit a left join backstop.audit_heads h using (audit_id)
    where a.audit_id = $1::bigint and a.chain is not null`,
};
const FactsRow = z.object({
  chain: z.string(),
  place: z.number(),
  hash: z.string(),
  previous: z.string(),
  head: z.string().nullable(),
});

/** A row, where it stands, and the other rows of its operation in order; null: there is none, or `within` hides it. */
export async function findAuditEntry(
  own: Pool,
  id: string,
  within?: AuditFilter["within"],
): Promise<{ entry: AuditEntry; facts: ChainFacts | null; operation: AuditEntry[] } | null> {
  const { where, values, named } = auditFilterSql({ within });
  const find = {
    name: named("find"),
    text: `select ${ENTRY_COLUMNS} from backstop.audit a where ${where} and a.audit_id = $${values.length + 1}::bigint`,
  };
  const entry = await maybe(own, find, EntryRow, [...values, id]);
  if (entry === null) return null;
  const rest = {
    name: named("operation"),
    text: `select ${ENTRY_COLUMNS} from backstop.audit a
      where ${where} and a.operation_id = $${values.length + 1}::uuid order by a.audit_id limit 200`,
  };
  const [facts, operation] = await Promise.all([
    maybe(own, FACTS, FactsRow, [id]),
    entry.operationId === null ? [] : many(own, rest, EntryRow, [...values, entry.operationId]),
  ]);
  return { entry, facts, operation };
}
