import type { SessionSeen } from "@/lib/db/sessions";
import type { Expect, Finding } from "@/lib/domain/preflight";
import { duration } from "@/lib/domain/time";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";
import type { Cleanup } from "@/lib/queues/session-lifecycle/cleanup";
import { SESSION_CODE, sessionOk, sessionsNotConfigured, sessionUnread } from "@/lib/queues/session-words";

type Judged = { finding: Finding; session: Expect["session"] };

/**
 * Whether the player of a cleanup is back. `seen`: what the desk read itself; null: it has no template to read by, and the
 * engine's word must do.
 */
export function sessionFinding(
  said: Cleanup,
  seen: SessionSeen | null,
  facts: JournalFacts | null,
  readMs: number,
): Judged {
  if (said.token === null) return { finding: sessionOk("This cleanup names no session"), session: undefined };
  const known = seen ?? seenByEngine(facts, readMs);
  if (known === null) return { finding: sessionsNotConfigured(false), session: undefined };
  switch (known.kind) {
    case "active":
      return { finding: active(said, known.agoMs), session: "active" };
    case "inactive":
      return { finding: sessionOk("The session is not active"), session: "inactive" };
    case "unread":
      return { finding: sessionUnread(known.why), session: undefined };
    default:
      return known satisfies never;
  }
}

function seenByEngine(facts: JournalFacts | null, readMs: number): SessionSeen | null {
  if (!facts?.session) return null;
  if (!facts.session.active) return { kind: "inactive" };
  const sinceMs = Date.parse(facts.session.since ?? "");
  return { kind: "active", agoMs: Number.isNaN(sinceMs) ? null : Math.max(0, readMs - sinceMs) };
}

function active({ deletesLedger }: Cleanup, agoMs: number | null): Finding {
  const since = agoMs === null ? "Since when is not recorded." : `It became active ${duration(agoMs)} ago.`;
  const evidence = [{ label: "session", value: agoMs === null ? "active" : `active for ${duration(agoMs)}` }];
  const title = "The session is active again";
  if (!deletesLedger) {
    return {
      code: SESSION_CODE,
      severity: "block",
      title,
      reason: `${since} The player is back, and this cleanup is of the time before: the worker would skip it.`,
      evidence,
      whatToDo: "resolve it as no longer needed. If the session ends again, its own cleanup is queued then.",
    };
  }
  return {
    code: SESSION_CODE,
    severity: "warn",
    title,
    reason: `${since} This cleanup deletes the resume ledger all the same: the player could not resume after the next cut.`,
    evidence,
    whatToDo: "wait until the session has ended, unless the player is meant to lose it.",
    acknowledgement: "The session is active. Its resume ledger will be deleted.",
  };
}
