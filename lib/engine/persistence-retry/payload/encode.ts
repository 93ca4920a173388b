import { kindNamed } from "@/lib/engine/persistence-retry/kinds";
import type { PersistenceRetryJob } from "./decode";
import { jsonObject } from "./json-out";

/** The JSON of a job that starts here. Throws for a kind that this engine does not have. */
export function encodePersistenceRetryJob(job: PersistenceRetryJob): string {
  const kind = kindNamed(job.payload.kind);
  if (kind === null) throw new Error(`no kind ${job.payload.kind}`);
  const { key, characterVersion, issuedAt } = job.idempotency;
  return jsonObject({
    payload: kind.encode(job.payload),
    ...(job.sessionToken === null ? {} : { session_token: JSON.stringify(job.sessionToken) }),
    session_impact: JSON.stringify(job.sessionImpact),
    source: JSON.stringify(job.source),
    idempotency: jsonObject({
      key: JSON.stringify(key),
      character_version: characterVersion,
      issued_at: JSON.stringify(issuedAt),
    }),
  });
}
