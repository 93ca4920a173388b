import type { KeptLetter } from "@/lib/console/archive/find-letter";
import type { Letter, LetterState, Life } from "@/lib/domain/dead-letter";
import type { PayloadView } from "@/lib/domain/payload-view";
import { viewMasked } from "@/lib/queues/masked";

/** What a letter's page shows where its store does not have it, or cannot be read: what the archive has kept of it. */
export function letterOfArchive(queue: string, kept: KeptLetter, lives: Life[]): Letter & { atMs: number } {
  const view = kept.payload === null ? null : viewMasked(kept.payload);
  return {
    queue,
    id: kept.id,
    jobId: kept.jobId,
    kind: kept.kind,
    subjectId: kept.subjectId,
    subjectName: kept.subjectName,
    realmId: kept.labels.realm ?? null,
    zoneId: kept.labels.zone ?? null,
    attempts: kept.attempts,
    error: kept.error,
    errorBytes: kept.errorBytes,
    diedMs: kept.diedMs,
    state: storeStateOf(kept.state),
    requeuedMs: kept.requeuedMs,
    requeuedJobId: kept.requeuedJobId,
    impact: kept.labels.impact ?? null,
    source: kept.labels.source ?? null,
    idempotencyKey: null,
    payload: payloadOf(kept.payloadBytes, view),
    lives,
    atMs: kept.atMs,
  };
}

function payloadOf(bytes: number, view: PayloadView | null): Letter["payload"] {
  if (view) return { bytes, ...view, problem: null };
  const problem = "Not kept: it is not JSON, or was too large to show. Only its hash is.";
  return { bytes, text: null, raw: null, masked: [], problem };
}

/** Nothing can be requeued from the archive, whatever state it says. */
function storeStateOf(state: KeptLetter["state"]): LetterState {
  switch (state) {
    case "open":
    case "resolved":
    case "left_elsewhere":
      return "left_unproved";
    case "requeued_elsewhere":
      return "awaiting";
    default:
      return state;
  }
}
