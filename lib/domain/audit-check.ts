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

type Counts = Pick<AuditCheck, "rows" | "wrong">;

const counted = (rows: number) => `${rows.toLocaleString("en-US")} row${rows === 1 ? "" : "s"}`;
const found = (wrong: number) =>
  wrong === 0 ? "nothing wrong" : `${wrong.toLocaleString("en-US")} thing${wrong === 1 ? " is" : "s are"} wrong`;

/** What a check finds just now: `312 rows, 1 thing is wrong`, `312 rows, nothing wrong`. */
export const checkWords = ({ rows, wrong }: Counts): string => `${counted(rows)}, ${found(wrong)}`;

/** What an earlier check found, which says nothing of the rows that came since. */
export function earlierCheckWords({ rows, wrong }: Counts): string {
  if (rows === 0 && wrong === 0) return "there was no row yet";
  return `${found(wrong)} among the ${counted(rows)} that there ${rows === 1 ? "was" : "were"} then`;
}
