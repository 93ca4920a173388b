import { appendItems, type WriteTrouble, writeTrouble } from "@/lib/engine/durable/redis-work-queue";
import type { Offered, WakeSignal } from "@/lib/engine/durable/wake-signal";
import { failpoint } from "@/lib/engine/failpoint";
import { log } from "@/lib/engine/log";
import { errorText } from "@/lib/engine/pg/error-text";
import type { JournalCounters } from "./counters";
import type { RealtimeStreamCleanup } from "./item/cleanup";
import { encodeCleanup } from "./item/encode";
import type { JournalQueue } from "./journal-queue";
import { removeSession } from "./sessions/active";
import type { SessionStore } from "./sessions/session-store";

export type CloseDeps = {
  queue: JournalQueue;
  sessions: SessionStore;
  signal: WakeSignal;
  counters: JournalCounters;
};

/**
 * What became of closing a stream. `session_left`: its cleanup could not be recorded, so the session is as it was;
 * `enqueueError` says why, and `trouble` whether the entry may be there all the same. `closed`: the entry is durable;
 * `session` `left`: it could not be removed, and the worker removes it; `not_ours`: another stream has it by now.
 */
export type StreamClosed =
  | { kind: "closed"; entryId: string; session: "removed" | "not_ours" | "left"; woke: Offered }
  | { kind: "session_left"; enqueueError: string; trouble: WriteTrouble };

/** The one id that wakes the journal's worker: it takes whatever waits. */
export const WAKE = "journal";

/**
 * A realtime stream has closed. The entry is appended before the active session is removed: whatever ends this in
 * between, the cleanup is found. Does not throw.
 */
export async function closeStream(
  { queue, sessions, signal, counters }: CloseDeps,
  cleanup: RealtimeStreamCleanup,
): Promise<StreamClosed> {
  let entryId: string;
  try {
    entryId = (await appendItems(queue, [encodeCleanup(cleanup)])).entryIds[0] ?? "";
  } catch (error) {
    const [enqueueError, trouble] = [errorText(error).slice(0, 1_000), writeTrouble(error)];
    counters.enqueueErrors.inc({ trouble });
    log("cleanup_enqueue_error", { character_id: cleanup.player.characterId, trouble, error: enqueueError });
    return { kind: "session_left", enqueueError, trouble };
  }
  await failpoint("cleanup.after_append");
  const session = await removeClosed(sessions, cleanup);
  return { kind: "closed", entryId, session, woke: wake({ signal, counters }) };
}

async function removeClosed(sessions: SessionStore, { sessionToken, streamId, player }: RealtimeStreamCleanup) {
  try {
    return await removeSession(sessions, { token: sessionToken, streamId: streamId ?? "" });
  } catch (error) {
    // The worker knows by the stream that nobody came back, and removes it.
    log("session_not_removed", { character_id: player.characterId, error: errorText(error).slice(0, 300) });
    return "left" as const;
  }
}

/** Tells the worker that something waits. A wake that is lost costs an interval, and nothing else. */
export function wake({ signal, counters }: Pick<CloseDeps, "signal" | "counters">): Offered {
  const offered = signal.offer(WAKE);
  if (offered !== "signaled") {
    counters.lostWakes.inc({ reason: offered });
    log("journal_wake_lost", { why: offered });
  }
  return offered;
}
