import type { RealtimeStreamCleanup } from "@/lib/engine/session-lifecycle/item/cleanup";
import {
  deletesResumeLedger,
  type EffectName,
  effectsOf,
  leftByTransfer,
} from "@/lib/engine/session-lifecycle/item/effect-plan";
import type { ActiveSession } from "@/lib/engine/session-lifecycle/sessions/active";
import type { Presence } from "@/lib/engine/session-lifecycle/sessions/presence";
import type { CleanupStep } from "@/lib/internal-rpc/journal-wire";

type Seen = { active: ActiveSession | null; presence: Presence | null; locationWritten: boolean };

/** What working a cleanup off would do now and what it would leave, in its order. */
export function stepsOf(cleanup: RealtimeStreamCleanup, seen: Seen): CleanupStep[] {
  const { streamId } = cleanup;
  const own = streamId !== null && seen.active?.streamId === streamId;
  const back = seen.active !== null && !own && !deletesResumeLedger(cleanup);
  const steps = effectsOf(cleanup).map((step): CleanupStep => {
    const why = back ? "the session is active again" : whySkipped(step, cleanup, seen);
    return { step, does: why === null ? "does" : "skips", why };
  });
  const left = leftByTransfer(cleanup).map(
    (step): CleanupStep => ({ step, does: "skips", why: "the transfer was confirmed" }),
  );
  return [...steps, ...left];
}

function whySkipped(step: EffectName, { resumeLedger }: RealtimeStreamCleanup, seen: Seen): string | null {
  switch (step) {
    case "persist_resume_ledger":
      return resumeLedger === null ? "the entry holds no ledger" : null;
    case "persist_location":
      return seen.locationWritten ? "this cleanup wrote it before" : null;
    case "refresh_presence":
      return seen.presence?.online === "other" ? "the character is online in another session" : null;
    case "delete_resume_ledger":
      return null;
    default:
      return step satisfies never;
  }
}
