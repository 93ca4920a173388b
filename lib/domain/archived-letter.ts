import { z } from "zod";

/**
 * The state of a letter in the archive. `open`: dead in its store, and nobody decided. `resolved`: dead, and a person
 * decided that nothing is owed. `awaiting`: requeued by this desk, outcome not known. `requeued_elsewhere`: put back
 * without this desk, outcome not known. `left_elsewhere`: gone from its store without this desk.
 */
export const ArchivedState = z.enum([
  "open",
  "resolved",
  "awaiting",
  "recovered",
  "superseded",
  "died_again",
  "requeued_elsewhere",
  "left_elsewhere",
  "left_unproved",
]);
export type ArchivedState = z.infer<typeof ArchivedState>;

/** Which archived letters: every part narrows; a part left out narrows nothing. Times in ms since 1970. */
export type ArchiveFilter = {
  queue?: string | undefined;
  /** Of these alone: the limit of who asks. */
  queues?: readonly string[] | undefined;
  states?: ArchivedState[] | undefined;
  kind?: string | undefined;
  subject?: string | undefined;
  realm?: string | undefined;
  group?: string | undefined;
  /** An id of a letter, a job or a character, a character's name, or words of the error. */
  text?: string | undefined;
  /** Keyed hash of a session token, hex. */
  tokenHash?: string | undefined;
  /** Died at or after. */
  fromMs?: number | undefined;
  /** Died before. */
  toMs?: number | undefined;
};
