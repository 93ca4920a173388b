import type { Pool } from "pg";
import { archiveReading } from "@/lib/console/archive/reading";
import { valueOr } from "@/lib/console/lists/settled";
import { gapsOfAudit } from "@/lib/console/overview/gaps";
import type { AuditFilter } from "@/lib/domain/audit-entry";
import type { Reading } from "@/lib/domain/queue";
import type { PageRequest } from "@/lib/queues/queue";
import { findLastCheck, type LastCheck } from "./check";
import { type AuditChoices, readAuditChoices } from "./choices";
import { type AuditPage, listAudit } from "./list";

/** The audit as one page shows it. Each part is read by itself. */
export type AuditView = {
  page: Reading<AuditPage>;
  /** Empty also where it could not be read. */
  choices: AuditChoices;
  check: Reading<LastCheck | null>;
  /** What keeps it from being append-only here, in sentences. */
  gaps: string[];
};

/** Reads a view of the audit. Never throws. */
export async function readAuditPage(own: Pool, filter: AuditFilter, request: PageRequest): Promise<AuditView> {
  const [page, choices, check, gaps] = await Promise.all([
    archiveReading("audit", () => listAudit(own, filter, request)),
    archiveReading("audit_choices", () => readAuditChoices(own, filter.within)),
    archiveReading("audit_check", () => findLastCheck(own)),
    gapsOfAudit(own),
  ]);
  return { page, choices: valueOr(choices, { actors: [], actions: [] }), check, gaps: gaps.sentences };
}
