import type { ArchivedState } from "@/lib/domain/archived-letter";
import type { StoredOutcome, StoredState } from "@/lib/queues/queue";

/** A requeue of a letter by this desk. `jobId` null: its answer is not known yet. */
export type DeskRequeue = { letterId: string; jobId: string | null };

/** What a letter of the archive becomes. Times in ms since 1970; `atMs` null: it is not known since when. */
export type Change = {
  state: ArchivedState;
  atMs: number | null;
  requeuedMs: number | null;
  requeuedJobId: string | null;
  nextLetterId: string | null;
};

/**
 * What a letter becomes by what its store shows; null: it stays what it is. A person's decision stands while the letter
 * is dead. A requeue is this desk's where one of its operations made the job, or may have: its answer is then recorded.
 */
export function nextState(state: ArchivedState, stored: StoredState, desk: readonly DeskRequeue[]): Change | null {
  switch (stored.kind) {
    case "dead":
      return null;
    case "gone":
      if (stored.outcome) return ended(stored.outcome, null);
      return state === "open" || state === "resolved" ? change("left_elsewhere") : null;
    case "requeued": {
      const requeue = { requeuedMs: stored.atMs, requeuedJobId: stored.jobId };
      if (stored.outcome) return ended(stored.outcome, requeue);
      const ours = desk.some(({ jobId }) => jobId === null || jobId === stored.jobId);
      const next = ours ? "awaiting" : "requeued_elsewhere";
      if (next === state || state === "awaiting") return null;
      return { ...change(next), ...requeue, atMs: stored.atMs };
    }
    default:
      return stored satisfies never;
  }
}

const change = (state: ArchivedState): Change => ({
  state,
  atMs: null,
  requeuedMs: null,
  requeuedJobId: null,
  nextLetterId: null,
});

function ended(outcome: StoredOutcome, requeue: Pick<Change, "requeuedMs" | "requeuedJobId"> | null): Change {
  const { atMs, nextLetterId } = outcome;
  return { ...change(outcome.outcome), ...requeue, atMs, nextLetterId };
}
