/** The keys of one queue. Give them one hash tag: a script touches several of them. */
export type WorkQueueKeys = {
  pending: string;
  /** Of writers that do not name their runtime. */
  processing: string;
  processingOf: (runtime: string) => string;
  deadLetter: string;
  /** Hash: runtime → its last heartbeat, ms since 1970 on the store's clock. */
  runtimes: string;
  /** Hash: an entry's name → how often it came back from a runtime that was gone, since its last recorded failure. */
  returns: string;
  /** List: entries that failed, until the next tick. */
  retrying: string;
  /** Hash: letter → what became of its requeued work, as JSON; and the same letters by time. */
  outcomes: string;
  outcomesAt: string;
  /** Hash: `<operation> <letter>` → the answer, as JSON; and the same fields by time. */
  operations: string;
  operationsAt: string;
  /** Hash: `<minute in ms> <queued|done|failed|dead|returned|requeued|skipped_reconnected>` → how many. */
  minutes: string;
};

/** @param prefix such as `{session_lifecycle}:journal` */
export function workQueueKeys(prefix: string): WorkQueueKeys {
  return {
    pending: `${prefix}:pending`,
    processing: `${prefix}:processing`,
    processingOf: (runtime) => `${prefix}:processing:${runtime}`,
    deadLetter: `${prefix}:dead_letter`,
    runtimes: `${prefix}:runtimes`,
    returns: `${prefix}:returns`,
    retrying: `${prefix}:retrying`,
    outcomes: `${prefix}:outcomes`,
    outcomesAt: `${prefix}:outcomes:at`,
    operations: `${prefix}:operations`,
    operationsAt: `${prefix}:operations:at`,
    minutes: `${prefix}:minutes`,
  };
}
