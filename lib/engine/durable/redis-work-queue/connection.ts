import { Redis, ReplyError } from "ioredis";
import { log } from "@/lib/engine/log";

export type WriteRedisOptions = {
  /** A command that is not answered within it has an unknown outcome. Ms. */
  commandTimeoutMs?: number;
};

/**
 * A connection for writing. What was sent once is never sent again: after a cut its outcome is unknown, and nothing is
 * kept back for later, since a command of ten seconds ago is not what its caller wants now. It comes back by itself.
 */
export function createWriteRedis(
  url: string,
  name: string,
  { commandTimeoutMs = 5_000 }: WriteRedisOptions = {},
): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    // The check would hold commands back while the server loads; its own LOADING says more.
    enableReadyCheck: false,
    connectTimeout: 2_000,
    commandTimeout: commandTimeoutMs,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  });
  // Each trouble is said once until it is over.
  const said = new Set<string>();
  redis.on("error", ({ message }) => {
    if (!said.has(message)) log("redis_error", { name, error: message.slice(0, 300) });
    said.add(message);
  });
  redis.on("ready", () => said.clear());
  return redis;
}

/**
 * What a failed write left behind. `not_sent`: nothing left this process. `refused`: the server said no, and nothing was
 * changed (where a right to remove is missing, a duplicate was made). `unknown`: it may have landed.
 */
export type WriteTrouble = "not_sent" | "refused" | "unknown";

export function writeTrouble(error: unknown): WriteTrouble {
  if (error instanceof ReplyError) return "refused";
  return error instanceof Error && error.message.startsWith("Stream isn't writeable") ? "not_sent" : "unknown";
}
