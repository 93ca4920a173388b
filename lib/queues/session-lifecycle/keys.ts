import { journalKeyPrefix } from "@/lib/config";

const PREFIX = journalKeyPrefix();

/** The journal's keys (`contracts.md` §2). Lists: the newest at the head, what waited longest at the tail. */
export const JOURNAL_KEYS = {
  pending: `${PREFIX}:pending`,
  /** Of writers that do not name their runtime. */
  processing: `${PREFIX}:processing`,
  processingOf: (runtime: string) => `${PREFIX}:processing:${runtime}`,
  deadLetter: `${PREFIX}:dead_letter`,
  /** Hash: runtime → its last heartbeat, ms since 1970 by Redis. */
  runtimes: `${PREFIX}:runtimes`,
  /** Entries that failed, until the next tick puts them back among those that wait. */
  retrying: `${PREFIX}:retrying`,
  /** Hash: an entry's name → how often it came back from a runtime that was gone. */
  returns: `${PREFIX}:returns`,
  /** Hash: letter → what became of its requeued entry. */
  outcomes: `${PREFIX}:outcomes`,
  /** Hash: `<operation> <letter>` → its answer; `requeued <letter>` → by whom it was put back. */
  operations: `${PREFIX}:operations`,
  /** Hash: `<minute in ms> <word>` → how many. */
  minutes: `${PREFIX}:minutes`,
};

export const operationField = (operationId: string, letterId: string) => `${operationId} ${letterId}`;
export const requeuedField = (letterId: string) => `requeued ${letterId}`;
