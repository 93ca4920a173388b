import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import type { Finding } from "@/lib/domain/preflight";
import type { LetterFacts } from "@/lib/internal-rpc/wire";

/** $1 letter ids. What the rows themselves say, beside their payloads. */
const COLUMNS: Sql = {
  name: "persistence_letter_columns",
  text: `select dead_letter_id::text as id, job_kind, character_id::text, realm_id from persistence_job_dead_letters
    where dead_letter_id = any($1::uuid[])`,
};
const ColumnsRow = z.object({ id: z.string(), job_kind: z.string(), character_id: z.string(), realm_id: z.string() });
export type RowColumns = z.output<typeof ColumnsRow>;

/** The columns of some letters, by letter id. */
export async function readRowColumns(pool: Pool, letterIds: string[]): Promise<Map<string, RowColumns>> {
  const rows = await many(pool, COLUMNS, ColumnsRow, [letterIds]);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * A block where a letter's row names another kind, character or realm than its payload: what the page says would not
 * be what a requeue writes. Null: they agree.
 */
export function rowDisagrees(row: RowColumns | undefined, job: LetterFacts["job"]): Finding | null {
  if (!row || !job) return null;
  const pairs: [label: string, row: string, payload: string][] = [
    ["kind", row.job_kind, job.kind],
    ["character", row.character_id, job.character_id.toLowerCase()],
    ["realm", row.realm_id, job.realm_id],
  ];
  const differ = pairs.filter(([, inRow, inPayload]) => inRow !== inPayload);
  if (differ.length === 0) return null;
  return {
    code: "row_agrees",
    severity: "block",
    title: `The row names another ${differ.map(([label]) => label).join(" and ")} than its payload`,
    reason: "A requeue writes what the payload says, and not what this page says of the letter.",
    evidence: differ.flatMap(([label, inRow, inPayload]) => [
      { label: `${label}, row`, value: inRow },
      { label: `${label}, payload`, value: inPayload },
    ]),
    whatToDo: "find out what wrote or changed this row. Nothing was requeued.",
  };
}
