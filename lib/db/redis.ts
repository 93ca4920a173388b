import { Redis } from "ioredis";

/**
 * A connection for reading. It fails at once while the server is away (no queue of commands that grows), and comes
 * back by itself. Reads may be sent again after a cut; writes must never come through here.
 */
export function createReadRedis(url: string, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    lazyConnect: true,
    enableOfflineQueue: true,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    // Reads wait while the server loads its data (INFO does not), and go on soon after; unset, that may be 10 s later.
    maxLoadingRetryTime: 500,
    retryStrategy: (times) => Math.min(times * 200, 3_000),
  });
  // Each trouble is said once until it is over: a server that is away for an hour must not fill a log.
  const said = new Set<string>();
  redis.on("error", ({ message }) => {
    if (!said.has(message)) console.error(JSON.stringify({ event: "redis_error", name, error: message }));
    said.add(message);
  });
  redis.on("ready", () => {
    if (said.size > 0) console.log(JSON.stringify({ event: "redis_back", name }));
    said.clear();
  });
  return redis;
}
