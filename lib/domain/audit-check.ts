import { z } from "zod";

/** What is wrong with a row of the audit, as far as its chain tells. */
export const WRONGS = ["edited", "removed", "swapped", "truncated", "added"] as const;

/** One thing that is wrong: which row, and how, in a sentence. */
export const AuditFinding = z.object({
  kind: z.enum(WRONGS),
  /** The row's number, a whole number as text. */
  id: z.string(),
  sentence: z.string(),
});
export type AuditFinding = z.infer<typeof AuditFinding>;

/** What a look at the whole audit found. */
export type AuditCheck = {
  /** Looked at: those of the chain and those of before it. */
  rows: number;
  /** The newest row, and its head (hex); null: there is none. */
  lastId: string | null;
  head: string | null;
  /** How many things are wrong; `findings` names the first ones. */
  wrong: number;
  findings: AuditFinding[];
};

/** `1 row is wrong`, `312 rows, nothing wrong`. */
export function checkWords({ rows, wrong }: Pick<AuditCheck, "rows" | "wrong">): string {
  const of = `${rows.toLocaleString("en-US")} row${rows === 1 ? "" : "s"}`;
  if (wrong === 0) return `${of}, nothing wrong`;
  return `${of}, ${wrong.toLocaleString("en-US")} thing${wrong === 1 ? " is" : "s are"} wrong`;
}
