import pg from "pg";

/** The most of an error that is stored, in characters. */
const ERROR_MAX = 16_384;

/**
 * An error as its letter will show it: the database's own words, state first, detail below.
 * `ERROR 23503: insert or update on table "t" violates foreign key constraint "c"`
 */
export function errorText(error: unknown): string {
  const text = error instanceof pg.DatabaseError ? databaseText(error) : messageOf(error);
  // What the store would refuse to take must not keep a failure from being recorded.
  const clean = text.replace(/[\p{Surrogate}\0]/gu, "\uFFFD");
  return clean.length > ERROR_MAX ? `${clean.slice(0, ERROR_MAX).replace(/\p{Surrogate}$/u, "")}… (cut)` : clean;
}

function databaseText({ severity, code, message, detail, hint }: pg.DatabaseError): string {
  const lines = [`${severity ?? "ERROR"} ${code ?? "?????"}: ${message}`];
  if (detail) lines.push(`DETAIL: ${detail}`);
  if (hint) lines.push(`HINT: ${hint}`);
  return lines.join("\n");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
