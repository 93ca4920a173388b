import type { EngineConfig } from "@/lib/config-engine";
import { createReadRedis } from "@/lib/db/redis";
import { readSessions } from "@/lib/db/sessions";
import type { SessionReader } from "./persistence-retry";

export type Sessions = { read: SessionReader; close(): void };

/** The engine's own look at active sessions; null where it was not told of a Redis or of their key. */
export function openSessions({ redisUrl, sessionActiveKey }: EngineConfig): Sessions | null {
  if (redisUrl === null || sessionActiveKey === null) return null;
  const redis = createReadRedis(redisUrl, "engine-sessions");
  return { read: (tokens) => readSessions(redis, sessionActiveKey, tokens), close: () => redis.disconnect() };
}
