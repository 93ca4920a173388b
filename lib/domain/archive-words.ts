import type { Reading } from "./queue";
import { utcClock } from "./time";

/** The keeper looks every second. */
const LATE_MS = 30_000;

/** How far an archive is behind a queue. Null: it has never caught up. */
type Late = { queue: string; atMs: number | null; lateMs: number | null };

/** What an archive that is behind its queues may lack, in a sentence each; none: it lacks nothing. */
export function archiveNotes(queues: Reading<readonly Late[]>): string[] {
  if (queues.kind !== "read") return ["Whether every letter is here could not be told: letters may be missing."];
  return queues.value.flatMap(({ queue, atMs, lateMs }) => {
    if (atMs === null || lateMs === null)
      return [`The letters of ${queue} are still being archived: not all are here yet.`];
    if (lateMs < LATE_MS) return [];
    return [`${queue} was last archived at ${utcClock(atMs)} UTC: letters that died since may be missing here.`];
  });
}
