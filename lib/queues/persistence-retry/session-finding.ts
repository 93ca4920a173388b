import type { Redis } from "ioredis";
import { readSessions, type SessionSeen } from "@/lib/db/sessions";
import type { Expect, Finding } from "@/lib/domain/preflight";
import { duration } from "@/lib/domain/time";
import type { SessionSaid } from "./session-tokens";

const CODE = "session_active";

/** The Redis where sessions are and the template of their keys; null each: not configured. */
export type SessionSource = { redis: Redis | null; sessionActiveKey: string | null };

export type SessionFinding = { finding: Finding; session: Expect["session"] };

/** For each letter whether its session is active again, and what was seen; nothing for a payload that is no JSON. */
export async function sessionFindings(
  { redis, sessionActiveKey }: SessionSource,
  said: Map<string, SessionSaid>,
): Promise<Map<string, SessionFinding>> {
  if (redis === null || sessionActiveKey === null) {
    return new Map([...said.keys()].map((id) => [id, { finding: notConfigured(redis === null), session: undefined }]));
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
    if (one.kind === "none") found.set(id, { finding: ok("This write names no session"), session: undefined });
    else if (one.kind === "too_large") {
      const reason = "The payload is over 4 MiB, so its session was not looked up.";
      found.set(id, { finding: unread(reason, "too_large"), session: undefined });
    } else found.set(id, judged(byId.get(id) ?? { kind: "unread", why: "no_answer" }, one.impact));
  }
  return found;
}

function judged(seen: SessionSeen, impact: string | null): SessionFinding {
  switch (seen.kind) {
    case "active":
      return { finding: active(seen.agoMs, impact), session: "active" };
    case "inactive":
      return { finding: ok("The session is not active"), session: "inactive" };
    case "unread":
      return { finding: unread(WHY[seen.why], seen.why), session: undefined };
    default:
      return seen satisfies never;
  }
}

const WHY = {
  no_answer: "Redis did not answer within 500 ms.",
  loading: "Redis is loading its data.",
  wrong_type: "What stands under the session's key in Redis is no hash.",
  refused: "The desk's Redis user may not read the session's key.",
};

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
    code: CODE,
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

function ok(title: string): Finding {
  return { code: CODE, severity: "ok", title, evidence: [] };
}

function unread(reason: string, why: string): Finding {
  return {
    code: CODE,
    severity: "unknown",
    title: "The session could not be checked",
    reason,
    evidence: [{ label: "code", value: why }],
    whatToDo: "read again. What could not be read just now is gated like a warning.",
    acknowledgement: "The session could not be checked. The player may be online.",
  };
}

function notConfigured(noRedis: boolean): Finding {
  return {
    code: CODE,
    severity: "not_configured",
    title: "Sessions are not configured for this game server",
    reason: `${noRedis ? "REDIS_URL" : "BACKSTOP_KEY_SESSION_ACTIVE"} is not set. Nothing to acknowledge.`,
    evidence: [],
  };
}
