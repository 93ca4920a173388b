import { randomBytes } from "node:crypto";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { type PersistenceOrigin, sessionImpactOf } from "@/lib/engine/persistence-retry/persistence-session-policy";
import type { Picked } from "./pick-characters";

/** A payload as a job: from this origin, based on the version that the character had when it was picked. */
export function envelope(
  { version, now }: Picked,
  origin: PersistenceOrigin,
  key: string,
  payload: PersistenceRetryJob["payload"],
): PersistenceRetryJob {
  return {
    payload,
    sessionToken: randomBytes(24).toString("base64url"),
    sessionImpact: sessionImpactOf(origin),
    source: origin,
    idempotency: { key, characterVersion: version, issuedAt: now },
  };
}

/** A key that no other write has; the prefix tells a reader what it is of. */
export function writeKey(prefix: string, { characterId }: Picked): string {
  return `${prefix}:${characterId.slice(0, 8)}:${randomBytes(5).toString("hex")}`;
}
