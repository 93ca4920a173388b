import { z } from "zod";
import { Reading } from "./queue";

/**
 * What the store proves of a worker. `alive`: it settled in these minutes, or holds a lease that has not ended. `late`: it does, and
 * leases of it have ended, or were lost in the same minutes. `lost`: leases of it ended or were lost, and nothing was
 * heard of it since. `gone`: so it was, and others have taken up what it held. `quiet`: it holds nothing and has not settled of late, which is no proof of either. `untold`: there
 * are only leases that have ended, and this store counts nothing.
 */
export const WorkerState = z.enum(["alive", "late", "lost", "gone", "quiet", "untold"]);
export type WorkerState = z.infer<typeof WorkerState>;

const Minutes = z.object({ done: z.array(z.number()), failed: z.array(z.number()) });

/** What one worker counted in the last hour, and per minute of late, oldest first. Times in ms since 1970. */
export const WorkerCounts = z.object({
  done: z.number(),
  failed: z.number(),
  lostLeases: z.number(),
  /** Settles of it that were refused, as its lease was gone. */
  staleSettles: z.number(),
  /** The last minute in which it settled something, and the last in which leases of it were lost. */
  settledMs: z.number().nullable(),
  lostMs: z.number().nullable(),
  minutes: Minutes,
});
export type WorkerCounts = z.infer<typeof WorkerCounts>;

/** What one worker holds. `firstEndMs`: when the oldest of its leases ends or ended. */
export const WorkerLeases = z.object({
  live: z.number().int(),
  expired: z.number().int(),
  firstEndMs: z.number().nullable(),
});
export type WorkerLeases = z.infer<typeof WorkerLeases>;

/** One worker as it is shown. `counts` null: this store counts nothing. */
export const Worker = z.object({
  name: z.string(),
  state: WorkerState,
  leases: WorkerLeases,
  counts: WorkerCounts.nullable(),
});
export type Worker = z.infer<typeof Worker>;

/** Every worker that is known from a lease or from what was counted in the last hour, at one instant. */
export const Workers = z.object({
  atMs: z.number(),
  workers: z.array(Worker),
  /** There are more than are shown. */
  more: z.boolean(),
  /** Why nothing is counted here; null: it is. */
  uncounted: z.string().nullable(),
});
export type Workers = z.infer<typeof Workers>;

/** As it travels: the workers, or why they are not told just now. */
export const WorkersReading = Reading(Workers).nullable();
