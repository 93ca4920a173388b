import type { Redis } from "ioredis";

/** Where a token's place is in the template of a session's key. */
export const TOKEN_PLACE = "<token>";

type Unread = "no_answer" | "loading" | "wrong_type" | "refused";

/** What Redis showed of one session. `agoMs`: on Redis's own clock; null where the hash does not say since when. */
export type SessionSeen =
  | { kind: "active"; agoMs: number | null }
  | { kind: "inactive" }
  | { kind: "unread"; why: Unread };

/** Longer ones are nobody's: a key of that size is not looked up. Characters. */
const TOKEN_MAX = 4_096;
const ANSWER_MAX_MS = 500;

/**
 * Whether the sessions of some tokens are active now, in the order given, all in one round trip. Never throws: what
 * does not answer in time is `unread`. No token, and no text of Redis that could quote one, leaves this function.
 * @param template the key, with `<token>` in the place of the token
 */
export async function readSessions(
  redis: Redis,
  template: string,
  tokens: readonly string[],
  withinMs = ANSWER_MAX_MS,
): Promise<SessionSeen[]> {
  if (tokens.length === 0) return [];
  const pipeline = redis.pipeline().time();
  for (const token of tokens) {
    const key = template.split(TOKEN_PLACE).join(token.slice(0, TOKEN_MAX));
    pipeline.hlen(key).hget(key, "since");
  }
  const answers = await answerWithin(pipeline.exec(), withinMs);
  if (answers === null) return tokens.map(() => ({ kind: "unread", why: "no_answer" }));
  const [, time] = answers[0] ?? [];
  const nowMs = Array.isArray(time) ? Number(time[0]) * 1_000 + Number(time[1]) / 1_000 : null;
  return tokens.map((token, index) => {
    if (token.length > TOKEN_MAX) return { kind: "inactive" };
    return seen(answers[1 + index * 2], answers[2 + index * 2], nowMs);
  });
}

type Answer = [error: Error | null, result: unknown] | undefined;

function seen(fields: Answer, since: Answer, nowMs: number | null): SessionSeen {
  if (fields === undefined) return { kind: "unread", why: "no_answer" };
  const [error, count] = fields;
  if (error) return { kind: "unread", why: whyOf(error) };
  if (count === 0) return { kind: "inactive" };
  const sinceMs = instantOf(since?.[1]);
  return { kind: "active", agoMs: sinceMs === null || nowMs === null ? null : Math.max(0, nowMs - sinceMs) };
}

function whyOf({ message }: Error): Unread {
  if (message.startsWith("WRONGTYPE")) return "wrong_type";
  if (message.startsWith("LOADING")) return "loading";
  return /^(NOPERM|NOAUTH|MOVED|ASK|CROSSSLOT) /.test(message) ? "refused" : "no_answer";
}

/** `since` as game servers write it: ISO 8601, or seconds or milliseconds since 1970. */
function instantOf(since: unknown): number | null {
  if (typeof since !== "string" || since === "") return null;
  const ms = /^\d{1,11}(\.\d+)?$/.test(since)
    ? Number(since) * 1_000
    : /^\d+$/.test(since)
      ? Number(since)
      : Date.parse(since);
  return Number.isFinite(ms) ? ms : null;
}

/** Null: it failed, or took longer. */
export async function answerWithin<T>(answer: Promise<T>, withinMs = ANSWER_MAX_MS): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), withinMs);
  });
  return Promise.race([answer.catch(() => null), late]).finally(() => clearTimeout(timer));
}
