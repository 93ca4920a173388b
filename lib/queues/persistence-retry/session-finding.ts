import type { Redis } from "ioredis";
import { readSessions, type SessionSeen } from "@/lib/db/sessions";
import type { Expect, Finding } from "@/lib/domain/preflight";
import { duration } from "@/lib/domain/time";
import { SESSION_CODE, sessionOk, sessionsNotConfigured, sessionUnread } from "@/lib/queues/session-words";
import type { SessionSaid } from "./session-tokens";

/** The Redis where sessions are and the template of their keys; null each: not configured. */
export type SessionSource = { redis: Redis | null; sessionActiveKey: string | null };

export type SessionFinding = { finding: Finding; session: Expect["session"] };

/** For each letter whether its session is active again, and what was seen; nothing for a payload that is no JSON. */
export async function sessionFindings(
  { redis, sessionActiveKey }: SessionSource,
  said: Map<string, SessionSaid>,
): Promise<Map<string, SessionFinding>> {
  if (redis === null || sessionActiveKey === null) {
    return new Map(
      [...said.keys()].map((id) => [id, { finding: sessionsNotConfigured(redis === null), session: undefined }]),
    );
  }
  const asked = [...said].flatMap(([id, one]) => (one.kind === "token" ? [{ id, token: one.token }] : []));
  const seen = await readSessions(
    redis,
    sessionActiveKey,
    asked.map(({ token }) => token),
  );
  const byId = new Map(asked.map(({ id }, index) => [id, seen[index]]));
  const found = new Map<string, SessionFinding>();
  for (const [id, one] of said) {
    if (one.kind === "not_json") continue;
    if (one.kind === "none") found.set(id, { finding: sessionOk("This write names no session"), session: undefined });
    else if (one.kind === "too_large") {
      const reason = "The payload is over 4 MiB, so its session was not looked up.";
      found.set(id, { finding: sessionUnread("too_large", reason), session: undefined });
    } else found.set(id, judged(byId.get(id) ?? { kind: "unread", why: "no_answer" }, one.impact));
  }
  return found;
}

function judged(seen: SessionSeen, impact: string | null): SessionFinding {
  switch (seen.kind) {
    case "active":
      return { finding: active(seen.agoMs, impact), session: "active" };
    case "inactive":
      return { finding: sessionOk("The session is not active"), session: "inactive" };
    case "unread":
      return { finding: sessionUnread(seen.why), session: undefined };
    default:
      return seen satisfies never;
  }
}

/** What the write's own session impact means to a player who is online. */
const IMPACT: Record<string, string> = {
  None: "Its session impact is None: the session does not depend on this write.",
  SessionDegraded:
    "Its session impact is SessionDegraded: the player notices that this write is missing, and sees it arrive.",
  DisconnectRequired:
    "Its session impact is DisconnectRequired: the game server may end the session when this write fails again.",
};

function active(agoMs: number | null, impact: string | null): Finding {
  const since = agoMs === null ? "Since when is not recorded." : `It became active ${duration(agoMs)} ago.`;
  const known = impact !== null && Object.hasOwn(IMPACT, impact);
  const means = (known && IMPACT[impact]) || "Its session impact is not one that this desk knows.";
  return {
    code: SESSION_CODE,
    severity: "warn",
    title: "The session is active again",
    reason: `${since} The player is online while this write lands. ${means}`,
    evidence: [
      { label: "session", value: agoMs === null ? "active" : `active for ${duration(agoMs)}` },
      { label: "impact", value: known ? impact : "not known" },
    ],
    whatToDo: "safe to continue when what the player does now does not depend on it. Support may get a question.",
    acknowledgement: "The session is active. The player may see this write arrive.",
  };
}
