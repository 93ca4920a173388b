import { runScript, script, word } from "@/lib/engine/durable/redis-work-queue/script";
import { resumeKey, SESSION_TTL, type SessionStore } from "./session-store";

const PERSIST = script(`
-- KEYS 1 ledger · ARGV 1 character · 2 record, its own characters · 3 ms to live
-- Answers 'persisted'
redis.call('HSET', KEYS[1], 'character_id', ARGV[1], 'record', ARGV[2], 'kept_at', instant())
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 'persisted'
`);

/** Keeps what a player resumes with. */
export async function persistResumeLedger(
  store: SessionStore,
  token: string,
  { characterId, record }: { characterId: string; record: string },
): Promise<void> {
  const args = [characterId, record, SESSION_TTL.resumeMs];
  await runScript(store.redis, PERSIST, [resumeKey(store, token)], args, word("persisted"));
}

/** Deletes it, whatever it is; answers whether there was one. */
export async function deleteResumeLedger(store: SessionStore, token: string): Promise<boolean> {
  return (await store.redis.del(resumeKey(store, token))) > 0;
}

/** Whose ledger stands there; null: none does. */
export async function findResumeLedger(
  store: SessionStore,
  token: string,
): Promise<{ characterId: string | null } | null> {
  const key = resumeKey(store, token);
  if ((await store.redis.exists(key)) === 0) return null;
  // Another writer's may be of another type: there is one, and whose it is cannot be told.
  const characterId = await store.redis.hget(key, "character_id").catch(() => null);
  return { characterId };
}
