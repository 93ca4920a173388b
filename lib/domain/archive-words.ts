import { utcClock } from "./time";

/** The keeper looks every second. */
const LATE_MS = 30_000;

/** What an archive that is behind its queue may lack, in a sentence each. `lateMs` null: it has never caught up. */
export function archiveNotes(
  queues: readonly { queue: string; atMs: number | null; lateMs: number | null }[],
): string[] {
  return queues.flatMap(({ queue, atMs, lateMs }) => {
    if (atMs === null || lateMs === null)
      return [`The letters of ${queue} are still being archived: not all are here yet.`];
    if (lateMs < LATE_MS) return [];
    return [`${queue} was last archived at ${utcClock(atMs)} UTC: letters that died since may be missing here.`];
  });
}
