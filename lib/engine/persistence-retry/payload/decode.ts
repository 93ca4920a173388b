import { z } from "zod";
import { type Kind, kindNamed, type PersistenceRetryPayload } from "@/lib/engine/persistence-retry/kinds";
import { PersistenceSessionImpact } from "@/lib/engine/persistence-retry/persistence-session-policy";
import { parseJson } from "./json";
import { storableText, wholeText } from "./values";

const ERROR_MAX = 1_000;

/** The shared authoritative envelope: one key for one piece of work, however often it is retried or requeued. */
const Envelope = z.object({
  payload: z.looseObject({ kind: z.string() }),
  session_token: z.string().nullish(),
  session_impact: PersistenceSessionImpact,
  source: storableText(200),
  idempotency: z.object({
    key: storableText(500),
    character_version: wholeText,
    issued_at: z.iso.datetime({ offset: true }).max(64),
  }),
});

/** A saved write. Numbers are source text; `sessionToken` must not be logged, stored elsewhere or answered. */
export type PersistenceRetryJob = {
  payload: PersistenceRetryPayload;
  sessionToken: string | null;
  sessionImpact: PersistenceSessionImpact;
  source: string;
  idempotency: { key: string; characterVersion: string; issuedAt: string };
};

export type Decoded = { ok: true; job: PersistenceRetryJob; kind: Kind } | { ok: false; error: string };

/**
 * Looks at a stored payload. Never throws: what does not decode says why, without any value of the payload.
 * Fields that it does not know are ignored here and kept in the stored text.
 */
export function decodePersistenceRetryJob(text: string): Decoded {
  let raw: unknown;
  try {
    raw = parseJson(text);
  } catch (error) {
    return refuse(`not JSON: ${(error as Error).message}`);
  }
  const envelope = Envelope.safeParse(raw);
  if (!envelope.success) return refuse(describe(envelope.error, []));
  const kind = kindNamed(envelope.data.payload.kind);
  if (kind === null) return refuse("payload.kind: no such kind here");
  const payload = kind.payload.safeParse(envelope.data.payload);
  if (!payload.success) return refuse(describe(payload.error, ["payload"]));
  const { session_token, session_impact, source, idempotency } = envelope.data;
  const job: PersistenceRetryJob = {
    payload: payload.data as PersistenceRetryPayload,
    sessionToken: session_token ?? null,
    sessionImpact: session_impact,
    source,
    idempotency: {
      key: idempotency.key,
      characterVersion: idempotency.character_version,
      issuedAt: idempotency.issued_at,
    },
  };
  return { ok: true, job, kind };
}

function refuse(why: string): Decoded {
  // jsonb and text columns refuse a lone surrogate or a NUL, which a parser's message may quote.
  const clean = why.replace(/[\p{Surrogate}\0]/gu, "\uFFFD");
  return { ok: false, error: clean.length > ERROR_MAX ? `${clean.slice(0, ERROR_MAX)}…` : clean };
}

function describe(error: z.ZodError, at: string[]): string {
  return error.issues.map((issue) => `${[...at, ...issue.path].join(".") || "payload"}: ${issue.message}`).join("; ");
}
