import { failureOf } from "@/lib/auth/failure";
import { asReader, type Who } from "@/lib/auth/role";
import { findSession } from "@/lib/auth/session";
import { hashToken, isToken } from "@/lib/auth/token";
import type { Queryable } from "@/lib/db/pg";

/** A session may read on for this long after the database has last confirmed it. */
export const SEEN_MS = 60_000;
/** Sessions that are remembered; of more, the longest unseen go. */
const SEEN_MAX = 1_000;

type Seen = { who: Who; atMs: number };
// On globalThis, since a bundler may load this module more than once in one process.
const holder = globalThis as typeof globalThis & { backstopSeenSessions?: Map<string, Seen> };

function seenSessions(): Map<string, Seen> {
  holder.backstopSeenSessions ??= new Map();
  return holder.backstopSeenSessions;
}

const keyOf = (token: string) => hashToken(token).toString("base64url");

/**
 * As `findSession`, for what only reads. While the console's own database does not answer, a session that it confirmed
 * within the last 60 s may read on, as who it was then; whatever it says when it answers counts at once. Actions and
 * every POST ask `findSession` and are refused meanwhile. Throws as that does.
 * @param nowMs of this process's stopwatch
 */
export async function findReader(
  db: Queryable,
  token: string | undefined,
  options: { use: boolean; readOnly: boolean },
  nowMs = performance.now(),
): Promise<Who | null> {
  try {
    const who = await findSession(db, token, options);
    remember(token, who, nowMs);
    return who;
  } catch (error) {
    const seen = token && isToken(token) && isAway(error) ? seenSessions().get(keyOf(token)) : undefined;
    if (!seen || nowMs - seen.atMs >= SEEN_MS) throw error;
    return options.readOnly ? asReader(seen.who) : seen.who;
  }
}

function remember(token: string | undefined, who: Who | null, atMs: number): void {
  if (!token || !isToken(token)) return;
  const seen = seenSessions();
  // Taken out and put back, so that the oldest are the first.
  seen.delete(keyOf(token));
  if (who) seen.set(keyOf(token), { who, atMs });
  for (const key of seen.keys()) {
    if (seen.size <= SEEN_MAX) break;
    seen.delete(key);
  }
}

/** A session that was ended here reads no more, whatever becomes of the database. */
export function forgetSeen(token: string | undefined): void {
  remember(token, null, 0);
}

/** As `forgetSeen`, for every session of a user that this process has seen. */
export function forgetSeenOf(userId: string): void {
  for (const [key, { who }] of seenSessions()) if (who.userId === userId) seenSessions().delete(key);
}

/** Whether the database was not there to be asked. What it refuses is a refusal. */
function isAway(error: unknown): boolean {
  const { code } = failureOf(error);
  return code === "no_answer" || /^(E[A-Z]+|08...|57P..|57014|53300)$/.test(code);
}
