import type { Pool } from "pg";
import { many } from "@/lib/db/pg";
import type { AuditEntry, AuditFilter } from "@/lib/domain/audit-entry";
import { decodeTextCursor, pageOf } from "@/lib/queues/cursor";
import type { PageRequest } from "@/lib/queues/queue";
import { ENTRY_COLUMNS, EntryRow } from "./entry-row";
import { auditFilterSql } from "./filter-sql";

export type AuditPage = { rows: AuditEntry[]; next: string | null; previous: string | null };

/** A page of the audit, the newest first, by keyset on (at, number). */
export async function listAudit(own: Pool, filter: AuditFilter, request: PageRequest): Promise<AuditPage> {
  const { after, before, limit } = request;
  const cursor = decodeTextCursor(before) ?? decodeTextCursor(after);
  const backwards = cursor !== null && decodeTextCursor(before) !== null;
  const { where, values, named } = auditFilterSql(filter);
  const at = values.length;
  const [than, order] = backwards ? [">", "asc"] : ["<", "desc"];
  const beyond = cursor ? ` and (a.at, a.audit_id) ${than} ($${at + 1}::timestamptz, $${at + 2}::bigint)` : "";
  const sql = {
    name: named(cursor ? `list_${order}` : "list"),
    text: `select ${ENTRY_COLUMNS} from backstop.audit a where ${where}${beyond}
      order by a.at ${order}, a.audit_id ${order} limit $${at + (cursor ? 3 : 1)}`,
  };
  const found = await many(own, sql, EntryRow, [...values, ...(cursor ?? []), limit + 1]);
  return pageOf(found, limit, { backwards, fromCursor: cursor !== null });
}
