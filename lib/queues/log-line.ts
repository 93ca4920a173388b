import { maskError } from "./masked";

/** One event as one line of JSON on standard error; its texts (errors quote what they were given) are masked. */
export function logLine(line: Record<string, unknown>): void {
  console.error(maskedLine(line));
}

/** As `logLine` writes it. */
export function maskedLine(line: Record<string, unknown>): string {
  return JSON.stringify(line, (_, value) => (typeof value === "string" ? maskError(value) : value));
}
