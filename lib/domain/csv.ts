import { markUnseen } from "./unseen";

/** What a spreadsheet would take for a formula: such a cell gets an apostrophe before it. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** One cell: everything in it is seen, safe against formulas, quoted where it must be. Numbers that are numbers stay as they are. */
function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const seen = markUnseen(value);
  const safe = FORMULA.test(seen) ? `'${seen}` : seen;
  return /[",\r\n;\t]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line of a CSV file (RFC 4180), with its end. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}
