import { runScript, script, word } from "@/lib/engine/durable/redis-work-queue/script";
import { activeKey, SESSION_TTL, type SessionStore } from "./session-store";

/** What closes is one stream of a session: the session of a player who came back meanwhile is another stream's. */
export type Stream = { token: string; characterId: string; streamId: string };

const OPEN = script(`
-- Makes a session active for one stream, or renews it.
-- KEYS 1 session · ARGV 1 character · 2 stream · 3 ms to live
-- Answers 'opened'
redis.call('HSET', KEYS[1], 'character_id', ARGV[1], 'stream', ARGV[2])
redis.call('HSETNX', KEYS[1], 'since', instant())
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 'opened'
`);

/** A player is connected: the session is active from now on, or goes on. */
export async function openSession(store: SessionStore, { token, characterId, streamId }: Stream): Promise<void> {
  const args = [characterId, streamId, SESSION_TTL.activeMs];
  await runScript(store.redis, OPEN, [activeKey(store, token)], args, word("opened"));
}

const RENEW = script(`
-- KEYS 1 session · ARGV 1 stream · 2 ms to live
-- Answers 'renewed' | 'not_ours'
if redis.call('HGET', KEYS[1], 'stream') ~= ARGV[1] then return 'not_ours' end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 'renewed'
`);

/** A stream that goes on says so. `not_ours`: the session is gone, or another stream's. */
export function renewSession(store: SessionStore, { token, streamId }: Stream): Promise<"renewed" | "not_ours"> {
  const keys = [activeKey(store, token)];
  return runScript(store.redis, RENEW, keys, [streamId, SESSION_TTL.activeMs], word("renewed", "not_ours"));
}

const REMOVE = script(`
-- KEYS 1 session · ARGV 1 stream
-- Answers 'removed' | 'not_ours'
if redis.call('HGET', KEYS[1], 'stream') ~= ARGV[1] then return 'not_ours' end
redis.call('DEL', KEYS[1])
return 'removed'
`);

/** Ends a stream's session. `not_ours`: it was gone, or another stream has it by now; then nothing was removed. */
export function removeSession(
  store: SessionStore,
  { token, streamId }: Pick<Stream, "token" | "streamId">,
): Promise<"removed" | "not_ours"> {
  return runScript(store.redis, REMOVE, [activeKey(store, token)], [streamId], word("removed", "not_ours"));
}

/** A session as it stands; null: it is not active. */
export type ActiveSession = { streamId: string | null; characterId: string | null; since: string | null };

/** Throws where it cannot be read, and where its key is of another type. */
export async function findSession(store: SessionStore, token: string): Promise<ActiveSession | null> {
  const fields = await store.redis.hgetall(activeKey(store, token));
  if (Object.keys(fields).length === 0) return null;
  return { streamId: fields.stream ?? null, characterId: fields.character_id ?? null, since: fields.since ?? null };
}
