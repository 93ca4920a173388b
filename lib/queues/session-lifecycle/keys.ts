const PREFIX = "{session_lifecycle}:journal";

/** The journal's keys; the hash tag keeps them in one slot of a cluster. */
export const JOURNAL_KEYS = {
  pending: `${PREFIX}:pending`,
  /** Of writers that do not name their runtime. */
  processing: `${PREFIX}:processing`,
  processingOf: (runtime: string) => `${PREFIX}:processing:${runtime}`,
  deadLetter: `${PREFIX}:dead_letter`,
  runtimes: `${PREFIX}:runtimes`,
};
