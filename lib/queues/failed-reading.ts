import { sqlState } from "@/lib/db/pg";

/** SQLSTATEs that say more than "could not be read". */
const SENTENCES: Record<string, string> = {
  "57014": "The query took longer than its limit and was cancelled.",
  "55P03": "A lock was not to be had in time.",
  "42501": "The reading role may not read this.",
  "42P01": "A table is missing.",
  "57P03": "The server is starting or recovering.",
  "53300": "The server has no connection left.",
};

/** A failed read as a value: the panel says it and the rest of the page goes on. */
export function failedReading(
  error: unknown,
  store: "Postgres" | "Redis",
): { kind: "failed"; sentence: string; code: string } {
  const state = sqlState(error);
  const code = state ?? (error as { code?: string } | null)?.code ?? "unreachable";
  const known = state === null ? undefined : SENTENCES[state];
  return { kind: "failed", code, sentence: known ?? `${store} does not answer.` };
}
