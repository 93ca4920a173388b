import type { SessionSeen } from "@/lib/db/sessions";
import type { Finding } from "@/lib/domain/preflight";

/** The finding on whether a letter's session is active again. */
export const SESSION_CODE = "session_active";

type Unread = Extract<SessionSeen, { kind: "unread" }>["why"];

const WHY: Record<Unread, string> = {
  no_answer: "Redis did not answer within 500 ms.",
  loading: "Redis is loading its data.",
  wrong_type: "What stands under the session's key in Redis is no hash.",
  refused: "The desk's Redis user may not read the session's key.",
};

export function sessionOk(title: string): Finding {
  return { code: SESSION_CODE, severity: "ok", title, evidence: [] };
}

/** `reason`: for what is none of the reasons that a reading gives. */
export function sessionUnread(why: Unread): Finding;
export function sessionUnread(why: string, reason: string): Finding;
export function sessionUnread(why: string, reason = WHY[why as Unread]): Finding {
  return {
    code: SESSION_CODE,
    severity: "unknown",
    title: "The session could not be checked",
    reason,
    evidence: [{ label: "code", value: why }],
    whatToDo: "read again. What could not be read just now is gated like a warning.",
    acknowledgement: "The session could not be checked. The player may be online.",
  };
}

export function sessionsNotConfigured(noRedis: boolean): Finding {
  return {
    code: SESSION_CODE,
    severity: "not_configured",
    title: "Sessions are not configured for this game server",
    reason: `${noRedis ? "REDIS_URL" : "BACKSTOP_KEY_SESSION_ACTIVE"} is not set. Nothing to acknowledge.`,
    evidence: [],
  };
}
