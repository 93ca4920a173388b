import { sqlState } from "@/lib/db/pg";

const NODE_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "EAI_AGAIN",
]);
/** What pg itself says when a connection is gone; these errors have no code. */
const PG_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying to connect|Client was closed|Cannot use a pool after)/;

/**
 * Whether the store went away, which is nobody's failure: not the job's, and no attempt of it is used up. A
 * transaction that the server ended for being too slow is the job's.
 */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null && /^(08|57P0[123])/.test(state)) return true;
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return NODE_CODES.has(code) || PG_WORDS.test(error.message);
}
