import { sqlState } from "@/lib/db/pg";

/** A store that answers, and lacks what was asked for or does not let it be read. The message is the sentence. */
export class NotReadable extends Error {
  readonly code = "not_readable";
}

/** SQLSTATEs that say more than "could not be read". */
const SENTENCES: Record<string, string> = {
  "28P01": "The server refuses the password of this role.",
  "28000": "The server does not let this role in.",
  "3D000": "The server has no such database.",
  "42501": "The reading role may not read this.",
  "42P01": "A table is missing.",
  "42703": "A column is missing.",
  "53300": "Postgres has no connection left.",
  "55P03": "A lock was not to be had in time.",
  "57014": "The query took longer than its limit and was cancelled.",
  "57P01": "Postgres is shutting down.",
  "57P03": "Postgres is starting or recovering.",
};

/** What a Redis that answers says first in its error. */
const REDIS_SENTENCES: Record<string, string> = {
  NOPERM: "The reading user may not read this.",
  WRONGPASS: "The server refuses this user's password.",
  NOAUTH: "The server wants a user and a password.",
  LOADING: "Redis is loading its data.",
  MASTERDOWN: "This Redis is a replica, and its primary is away.",
  CLUSTERDOWN: "The Redis cluster is down.",
  BUSY: "Redis is busy with a script.",
  READONLY: "This Redis is a read-only replica.",
  OOM: "Redis has no memory left for what was asked.",
  MISCONF: "Redis takes no writes: it could not save its data.",
  WRONGTYPE: "A key of the queue in Redis is of another type.",
};

/** A failed read as a value: the panel says it and the rest of the page goes on. */
export function failedReading(
  error: unknown,
  store: "Postgres" | "Redis",
): { kind: "failed"; sentence: string; code: string } {
  const { code: given, message = "" } = (error ?? {}) as { code?: string; message?: string };
  if (given === "not_readable") return { kind: "failed", code: given, sentence: message };
  const state = sqlState(error);
  const word = /^[A-Z]+/.exec(message)?.[0] ?? "";
  const said = REDIS_SENTENCES[word];
  if (store === "Redis" && said) return { kind: "failed", code: word, sentence: said };
  if (store === "Redis" && isRefused(error, given))
    return { kind: "failed", code: "no_connection", sentence: `${store} takes no connection.` };
  return { kind: "failed", code: state ?? given ?? "unreachable", sentence: sentenceOf(state, given, store) };
}

/** What the Redis client says once it could not connect, where a server that took the request and is silent times out. */
const isRefused = (error: unknown, code = "") =>
  /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/.test(code) ||
  (error instanceof Error && (error.name === "MaxRetriesPerRequestError" || error.message === "Connection is closed."));

function sentenceOf(state: string | null, code: string | undefined, store: string): string {
  // Class 08: the connection itself.
  if (state !== null)
    return SENTENCES[state] ?? (state.startsWith("08") ? silent(store) : `${store} refused the query.`);
  if (code === "row_mismatch") return `${store} holds what this desk cannot read.`;
  // Node's names for what is wrong with a certificate.
  if (code !== undefined && /CERT|UNABLE_TO_VERIFY/.test(code)) return "The server's certificate is not trusted.";
  return silent(store);
}

const silent = (store: string) => `${store} does not answer.`;
