import type { WorkerCounts, WorkerLeases, WorkerState } from "./worker";

/** A settle of this minute or of the one before: the counts know minutes, not instants. */
const OF_LATE_MS = 120_000;

/** What is proved of a worker at `atMs` of the database clock, by its leases and by what was counted of it. */
export function workerState(leases: WorkerLeases, counts: WorkerCounts | null, atMs: number): WorkerState {
  const { live, expired } = leases;
  if (counts === null) return expired === 0 ? "alive" : live > 0 ? "late" : "untold";
  const { settledMs, lostMs } = counts;
  const settles = settledMs !== null && atMs - settledMs < OF_LATE_MS;
  const lostOfLate = lostMs !== null && atMs - lostMs < OF_LATE_MS;
  if (live > 0 || settles) {
    // Of two counts of one minute nobody knows which came first.
    const unheard = live === 0 && lostMs !== null && settledMs !== null && settledMs < lostMs;
    if (unheard) return "lost";
    return expired > 0 || lostOfLate ? "late" : "alive";
  }
  if (expired > 0) return "lost";
  if (lostMs === null || lostMs < (settledMs ?? Number.NEGATIVE_INFINITY)) return "quiet";
  // What it held was taken up long since: nobody need look for it.
  return lostOfLate ? "lost" : "gone";
}
