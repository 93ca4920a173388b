import { failpoint } from "@/lib/engine/failpoint";
import type { PersistDirectlyDeps } from "@/lib/engine/persistence-retry/persist";
import { deletesResumeLedger, type EffectName, effectsOf } from "./item/effect-plan";
import { persistLocation, type Work } from "./persist-location";
import { findSession, removeSession } from "./sessions/active";
import { setPresence } from "./sessions/presence";
import { deleteResumeLedger, persistResumeLedger } from "./sessions/resume";
import type { SessionStore } from "./sessions/session-store";

export type ApplyDeps = {
  sessions: SessionStore;
  persistence: PersistDirectlyDeps;
  /** The demo's own: how it kills the process that has done a part of a cleanup. Null everywhere else. */
  afterFirstEffect?: (() => Promise<void>) | null;
};

/** `skipped_reconnected`: the player is back, and nothing was done. */
export type Applied = "applied" | "skipped_reconnected";

/**
 * Does what a cleanup owes. Each effect may be done again after a crash: each sets or deletes what it is of, and the
 * location goes by a key. Throws what Redis or Postgres says; what was done before stays done.
 */
export async function applyPlan(deps: ApplyDeps, work: Work): Promise<Applied> {
  const { cleanup } = work;
  // Asked of every plan: it also removes a session that its closer did not come to remove.
  const back = await cameBack(deps.sessions, work);
  if (back && !deletesResumeLedger(cleanup)) return "skipped_reconnected";
  for (const [n, effect] of effectsOf(cleanup).entries()) {
    await failpoint("cleanup.before_effect");
    await applyEffect(deps, effect, work);
    if (n === 0) await deps.afterFirstEffect?.();
  }
  return "applied";
}

/**
 * Whether the session is active again. Of the very stream that closed it is not: whoever closed it was ended between the
 * entry and the removal, and the session is removed here.
 */
async function cameBack(sessions: SessionStore, { cleanup }: Work): Promise<boolean> {
  const { sessionToken: token, streamId } = cleanup;
  const session = await findSession(sessions, token);
  if (session === null) return false;
  if (streamId === null || session.streamId !== streamId) return true;
  // Another stream may have taken it between the look and the removal.
  return (await removeSession(sessions, { token, streamId })) === "not_ours" && (await cameBackSince(sessions, token));
}

const cameBackSince = async (sessions: SessionStore, token: string) => (await findSession(sessions, token)) !== null;

async function applyEffect({ sessions, persistence }: ApplyDeps, effect: EffectName, work: Work): Promise<void> {
  const { sessionToken: token, player, resumeLedger } = work.cleanup;
  const { characterId } = player;
  switch (effect) {
    case "persist_resume_ledger":
      if (resumeLedger !== null) await persistResumeLedger(sessions, token, { characterId, record: resumeLedger });
      return;
    case "delete_resume_ledger":
      await deleteResumeLedger(sessions, token);
      return;
    case "persist_location":
      await persistLocation(persistence, work);
      return;
    case "refresh_presence":
      await setPresence(sessions, { token, characterId }, "away");
      return;
    default:
      return effect satisfies never;
  }
}
