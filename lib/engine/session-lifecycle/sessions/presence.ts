import { runScript, script, word } from "@/lib/engine/durable/redis-work-queue/script";
import { presenceKey, SESSION_TTL, type SessionStore, sessionMark } from "./session-store";

const SET = script(`
-- Says where a character is: online in a session, or away from it and expected back.
-- KEYS 1 presence · ARGV 1 mark of the session · 2 online | away · 3 ms to live
-- Answers 'set' | 'other': the character is online in another session, and nothing was changed
local has, state = unpack(redis.call('HMGET', KEYS[1], 'session', 'state'))
if ARGV[2] == 'away' and has and has ~= ARGV[1] and state == 'online' then return 'other' end
if has ~= ARGV[1] or state ~= ARGV[2] then redis.call('HSET', KEYS[1], 'since', instant()) end
redis.call('HSET', KEYS[1], 'session', ARGV[1], 'state', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 'set'
`);

/** `other`: online in another session; what is away from this one must not hide that. */
export function setPresence(
  store: SessionStore,
  { token, characterId }: { token: string; characterId: string },
  state: "online" | "away",
): Promise<"set" | "other"> {
  const args = [sessionMark(token), state, state === "online" ? SESSION_TTL.onlineMs : SESSION_TTL.awayMs];
  return runScript(store.redis, SET, [presenceKey(store, characterId)], args, word("set", "other"));
}

export type Presence = { online: "offline" | "own" | "other"; since: string | null };

/** Where a character is, seen from one session. Throws where it cannot be read. */
export async function readPresence(
  store: SessionStore,
  { token, characterId }: { token: string; characterId: string },
): Promise<Presence> {
  const { session, state, since } = await store.redis.hgetall(presenceKey(store, characterId));
  if (state !== "online") return { online: "offline", since: null };
  return { online: session === sessionMark(token) ? "own" : "other", since: since ?? null };
}
