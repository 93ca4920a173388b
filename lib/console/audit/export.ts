import type { Pool } from "pg";
import type { ExportFormat } from "@/lib/console/archive/export";
import type { AuditEntry, AuditFilter } from "@/lib/domain/audit-entry";
import { csvLine } from "@/lib/domain/csv";
import { escapeUnseen } from "@/lib/domain/unseen";
import { listAudit } from "./list";

/** Read at once. */
const CHUNK = 200;

type Value = string | number | null | string[] | Record<string, unknown>;

/** All that a row says, in this order. */
const FIELDS: [string, (entry: AuditEntry) => Value][] = [
  ["row", (entry) => entry.id],
  ["at", (entry) => new Date(entry.atMs).toISOString()],
  ["phase", (entry) => entry.phase],
  ["action", (entry) => entry.action],
  ["actor_id", (entry) => entry.actor.id],
  ["actor_name", (entry) => entry.actor.name],
  ["actor_role", (entry) => entry.actor.role],
  ["address", (entry) => entry.address],
  ["operation_id", (entry) => entry.operationId],
  ["target", (entry) => entry.target],
  ["plan_hash", (entry) => entry.planHash],
  ["reason", (entry) => entry.reason],
  ["acknowledged", (entry) => entry.acknowledged],
  ["outcome", (entry) => entry.outcome],
  ["detail", (entry) => entry.detail],
  ["request_id", (entry) => entry.requestId],
];

/** A cell holds a text: what is more is written as JSON. */
const cell = (value: Value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : value);
const json = (entry: AuditEntry) =>
  escapeUnseen(JSON.stringify(Object.fromEntries(FIELDS.map(([name, of]) => [name, of(entry)]))));

const WRITERS: Record<
  ExportFormat,
  { head: string; line: (entry: AuditEntry, first: boolean) => string; foot: string }
> = {
  csv: {
    head: csvLine(FIELDS.map(([name]) => name)),
    line: (entry) => csvLine(FIELDS.map(([, of]) => cell(of(entry)))),
    foot: "",
  },
  json: { head: "[\n", line: (entry, first) => `${first ? "" : ",\n"}${json(entry)}`, foot: "\n]\n" },
};

/** The rows of a filter as text, the newest first, read a page at a time as they are asked for. */
export async function* exportAudit(own: Pool, filter: AuditFilter, format: ExportFormat): AsyncGenerator<string> {
  const { head, line, foot } = WRITERS[format];
  yield head;
  let after: string | null = null;
  let first = true;
  do {
    const { rows, next } = await listAudit(own, filter, { after: after ?? undefined, before: undefined, limit: CHUNK });
    const text = rows.map((entry, at) => line(entry, first && at === 0)).join("");
    first &&= rows.length === 0;
    if (text !== "") yield text;
    after = next;
  } while (after !== null);
  yield foot;
}
