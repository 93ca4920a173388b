import type { Redis } from "ioredis";
import { z } from "zod";
import { runScript, script, Text } from "@/lib/engine/durable/redis-work-queue/script";
import { NONCE_KEPT_S, SKEW_MAX_S } from "@/lib/internal-rpc/limits";
import type { NonceStore } from "@/lib/internal-rpc/nonces";

const CONSUME = script(`
-- Uses a nonce up, once, and judges the signature's times on this clock.
-- KEYS 1 the nonce's own key
-- ARGV 1 created, s · 2 expires, s · 3 skew allowed, s · 4 how long it is kept, s
-- Answers {'fresh' | 'replayed' | 'too_far' | 'expired', instant}
local at = instant()
if math.abs(now - tonumber(ARGV[1]) * 1000) > tonumber(ARGV[3]) * 1000 then return { 'too_far', at } end
if now > tonumber(ARGV[2]) * 1000 then return { 'expired', at } end
local set = redis.call('SET', KEYS[1], '1', 'NX', 'EX', ARGV[4])
return { set and 'fresh' or 'replayed', at }
`);

const Answer = z.tuple([Text.pipe(z.enum(["fresh", "replayed", "too_far", "expired"])), Text]);

/** Used nonces in the engine's Redis, and times judged on its clock. Each goes by itself when its time is over. */
export function createRedisNonceStore(redis: Redis): NonceStore {
  return {
    async consume({ keyId, nonce, createdS, expiresS }) {
      const key = `backstop:nonce:${keyId}:${nonce}`;
      const args = [createdS, expiresS, SKEW_MAX_S, NONCE_KEPT_S];
      const [kind, serverTime] = await runScript(redis, CONSUME, [key], args, Answer);
      if (kind === "fresh" || kind === "replayed") return { kind, serverTime };
      return { kind: "clock_skew", why: kind, serverTime };
    },
    sweep: async () => 0,
  };
}
