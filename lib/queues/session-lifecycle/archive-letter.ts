import { createHash } from "node:crypto";
import { PAYLOAD_SHOWN_MAX } from "@/lib/domain/payload-view";
import { keptError } from "@/lib/queues/kept-error";
import { maskError } from "@/lib/queues/masked";
import type { Sources, StoredLetter } from "@/lib/queues/queue";
import { readCleanup } from "./cleanup";
import type { JournalLetter } from "./envelope/letter";
import { kindOf } from "./kind";
import { maskItem } from "./mask-item";

const LABEL_MAX = 200;

/** A letter as the archive may keep it: nothing in it that may not be shown, and no session token but its keyed hash. */
export function letterToKeep(letter: JournalLetter, diedAt: string, hashToken: Sources["hashToken"]): StoredLetter {
  const { item } = letter;
  const masked = maskItem(item);
  const secrets = masked?.secrets ?? [];
  const seen = readCleanup(item);
  const said = seen.kind === "read" ? seen.value : null;
  const token = said?.token ?? masked?.top.get("session_token");
  const label = (value: string | null | undefined) => value && maskError(value, secrets).slice(0, LABEL_MAX);
  const labels = {
    realm: label(said?.realmId),
    zone: label(said?.zoneId),
    source: label(said?.profile),
    plan: said?.plan,
  };
  return {
    letterId: letter.id,
    generation: 1,
    diedAt,
    jobId: letter.entryId,
    kind: kindOf(letter),
    subjectId: label(said?.characterId) || null,
    subjectName: label(said?.characterName) || null,
    labels: Object.fromEntries(Object.entries(labels).flatMap(([key, value]) => (value ? [[key, value]] : []))),
    attempts: letter.attempts,
    error: keptError(letter.error, secrets),
    errorBytes: Buffer.byteLength(letter.error),
    payload: masked && item.length <= PAYLOAD_SHOWN_MAX ? masked.raw : null,
    payloadBytes: item.length,
    payloadHash: createHash("sha256").update(item).digest("hex"),
    tokenHash: token && hashToken ? hashToken(token) : null,
    requeuedFrom: letter.requeuedFrom,
    requeued: false,
  };
}
