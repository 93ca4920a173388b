import type { RealtimeStreamCleanup } from "@/lib/engine/session-lifecycle/item/cleanup";

/** A stream that closed, and what its closer was told. */
export type Closed = {
  cleanup: RealtimeStreamCleanup;
  /** `appended`: the entry is durable. `left`: it is not there, and the session is. `unknown`: the answer was lost. */
  told: "appended" | "left" | "unknown";
  /** Null where it was not told. */
  entryId: string | null;
  /** It fails until what its presence stands on is taken away. */
  doomed: boolean;
  /** The stream that the player came back with, and whether that was answered; null: nobody did. */
  cameBack: { streamId: string; sure: boolean } | null;
  /** Its effects were looked at once: what is done needs no second look, and keys of sessions end by themselves. */
  seenDone: boolean;
};

/** An answer of the signed endpoints: a letter went back as this entry (null: it has no id). */
export type Requeued = { operationId: string; deadLetterId: string; entryId: string | null };

/** Everything that was asked of the journal, by session token, and everything that was answered. */
export type JournalBook = { closed: Map<string, Closed>; requeued: Requeued[] };

export const newJournalBook = (): JournalBook => ({ closed: new Map(), requeued: [] });
