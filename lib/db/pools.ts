import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type pg from "pg";
import { config } from "@/lib/config";
import { createPool } from "@/lib/db/pg";
import { createReadRedis } from "@/lib/db/redis";

/** The process's connections. `null`: that store is not configured. */
export type Pools = {
  /** The console's own schema. */
  own: pg.Pool;
  /** The game's Postgres, reading role. */
  game: pg.Pool | null;
  /** The game's Redis, reading user. */
  redis: Redis | null;
};

// On globalThis, since a bundler may load this module more than once in one process.
const holder = globalThis as typeof globalThis & { backstopPools?: Pools };

/** The pools of this process, made at the first call. Small, so that the console never crowds what it watches. */
export function pools(): Pools {
  holder.backstopPools ??= open();
  return holder.backstopPools;
}

function open(): Pools {
  const { ownUrl, databaseUrl, redisUrl, statementTimeoutMs } = config();
  const bounds = { application: "backstop-web", max: 6, statementTimeoutMs };
  const opened: Pools = {
    own: createPool({ ...bounds, url: ownUrl }),
    game: databaseUrl ? createPool({ ...bounds, url: databaseUrl }) : null,
    redis: redisUrl ? createReadRedis(redisUrl, "backstop-web") : null,
  };
  process.once("SIGTERM", () => void closeWhenQuiet(opened));
  return opened;
}

/** Requests in flight may still finish: the pools go once nobody has held a connection for a second. */
async function closeWhenQuiet({ own, game, redis }: Pools): Promise<void> {
  const busy = (pool: pg.Pool | null) => pool !== null && pool.totalCount > pool.idleCount;
  for (let quietMs = 0; quietMs < 1_000; quietMs += 100) {
    await sleep(100, undefined, { ref: false });
    if (busy(own) || busy(game)) quietMs = 0;
  }
  redis?.disconnect();
  await Promise.allSettled([own.end(), game?.end()]);
}
