import { unquote } from "@/lib/domain/json-scan";
import { keptError } from "@/lib/queues/kept-error";
import { maskError, maskLabel, maskPayload } from "@/lib/queues/masked";
import type { Sources, StoredLetter } from "@/lib/queues/queue";
import type { LetterToKeep } from "./archive-sql";

const LABEL_MAX = 200;

// Where the payload is not read as JSON: what stands behind the key.
const NAMED_TOKEN = /"session_token"\s*:\s*("(?:[^"\\]|\\.){1,4000}")/g;

/** A row as the archive may keep it: nothing in it that may not be shown, and no session token but its keyed hash. */
export function letterToKeep(row: LetterToKeep, hashToken: Sources["hashToken"]): StoredLetter {
  const masked = row.payload === null ? null : maskPayload(row.payload);
  const named = masked ? [] : namedTokens(row.payload ?? row.beside_token ?? "");
  // Of a key that occurs twice the last value counts, as for the engine.
  const token = (masked ? masked.top.get("session_token") : named.at(-1)) || null;
  const secrets = [...(masked?.secrets ?? []), ...named];
  const label = (value: string | null | undefined) => value && maskError(value, secrets).slice(0, LABEL_MAX);
  const labels = {
    realm: label(row.realm_id),
    zone: label(row.zone_id),
    source: label(row.source ?? masked?.top.get("source")),
    impact: label(row.impact ?? masked?.top.get("session_impact")),
  };
  return {
    letterId: row.letter_id,
    generation: 1,
    diedAt: row.died_at,
    jobId: row.job_id,
    kind: maskError(row.kind, secrets),
    subjectId: row.subject_id,
    subjectName: maskLabel(row.subject_name, secrets),
    labels: Object.fromEntries(Object.entries(labels).flatMap(([key, value]) => (value ? [[key, value]] : []))),
    attempts: row.attempts,
    error: keptError(row.error, secrets),
    errorBytes: row.error_bytes,
    payload: masked?.raw ?? null,
    payloadBytes: row.payload_bytes,
    payloadHash: row.payload_hash,
    tokenHash: token && hashToken ? hashToken(token) : null,
    requeuedFrom: row.requeued_from,
    requeued: row.requeued,
  };
}

function namedTokens(text: string): string[] {
  return [...text.matchAll(NAMED_TOKEN)].flatMap(([, quoted]) => {
    if (quoted === undefined) return [];
    const inside = quoted.slice(1, -1);
    const plain = unquote(quoted);
    return plain === inside ? [plain] : [inside, plain];
  });
}
