import type { FaultName } from "@/lib/domain/demo-fault";

type Bounds = {
  /** Characters that it concerns, one write each: what bounds its rows and letters. 40 is the table's own limit. */
  writesMax: number;
  /** When it is over by itself, in seconds; null: when somebody mends it. */
  lastsSeconds: number | null;
};

/** The bounds of each fault. */
export const FAULTS: Record<FaultName, Bounds> = {
  // Each try waits for half a transaction's time, in a worker that applies one row at a time: few, or nothing else is done.
  row_lock: { writesMax: 8, lastsSeconds: 120 },
  missing_right: { writesMax: 24, lastsSeconds: null },
  worker_stopped: { writesMax: 40, lastsSeconds: null },
  // Until its worker has something in hand; from then on it lasts for a lease and `THAW_AFTER_LEASE_MS`.
  worker_frozen: { writesMax: 4, lastsSeconds: 60 },
  poison: { writesMax: 4, lastsSeconds: null },
  presence_keys: { writesMax: 8, lastsSeconds: null },
  // Until its worker has a cleanup in hand.
  cleanup_killed: { writesMax: 0, lastsSeconds: 60 },
  redis_refuses: { writesMax: 0, lastsSeconds: 60 },
};

/** Of the session lifecycle journal: an engine without it makes none of them. */
export type JournalFault = "presence_keys" | "cleanup_killed" | "redis_refuses";

export const isJournalFault = (fault: FaultName): fault is JournalFault =>
  fault === "presence_keys" || fault === "cleanup_killed" || fault === "redis_refuses";

/** How long beyond its lease the engine's process stays frozen: long enough to see that the lease has run out. */
export const THAW_AFTER_LEASE_MS = 5_000;

/** Everyday life goes on with at least so many characters, whatever is broken. */
export const LEFT_FREE = 20;
