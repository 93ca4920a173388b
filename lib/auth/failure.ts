import { GateFull } from "@/lib/auth/gate";
import { sqlState } from "@/lib/db/pg";

/** What an operator is told of something that broke: a code for the log, and one calm sentence without inner details. */
export type Failure = { code: string; sentence: string };

const UNREACHABLE = new Set(["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "ETIMEDOUT", "EPIPE"]);
/** What pg says, without a code, of a server that has gone or gone silent. */
const SILENT = /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated)/;

/** Gives an unexpected error its code and its sentence. */
export function failureOf(error: unknown): Failure {
  if (error instanceof GateFull) return { code: "busy", sentence: "Too many at once. Try again in a few seconds." };
  const state = sqlState(error);
  if (state === "57014") return { code: state, sentence: "The database took too long and the query was cancelled." };
  if (state === "55P03") return { code: state, sentence: "The database row is held by somebody else. Try again." };
  if (state?.startsWith("08") || state?.startsWith("57P")) return { code: state, sentence: "Postgres is unreachable." };
  if (state) return { code: state, sentence: "The database refused the query." };
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string" && UNREACHABLE.has(code)) return { code, sentence: "Postgres is unreachable." };
  if (error instanceof Error && SILENT.test(error.message))
    return { code: "no_answer", sentence: "Postgres does not answer. Try again when it does." };
  return { code: "internal", sentence: "Something broke on the server. Its log says what, under this request id." };
}
