import { type Command, Redis, type RedisOptions } from "ioredis";

/** No server is there, or none that lets itself be connected to. */
const REFUSED = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/;

/**
 * Tells why it cannot connect instead of how often it tried; and what is asked while it waits for its next try to connect
 * to a server that is not there fails at once.
 */
class ReadRedis extends Redis {
  private trouble: (Error & { code?: string }) | null = null;

  constructor(url: string, options: RedisOptions) {
    super(url, options);
    this.on("error", (error) => {
      this.trouble = error;
    });
    this.on("ready", () => {
      this.trouble = null;
    });
  }

  override sendCommand(command: Command, ...rest: never[]): unknown {
    const { trouble } = this;
    if (trouble && this.status === "reconnecting" && REFUSED.test(trouble.code ?? "")) {
      command.reject(trouble);
      return command.promise;
    }
    const reject = command.reject;
    command.reject = (error) =>
      reject(this.trouble && error.name === "MaxRetriesPerRequestError" ? this.trouble : error);
    return super.sendCommand(command, ...rest);
  }
}

/**
 * A connection for reading. It fails at once while the server is away (no queue of commands that grows), and comes
 * back by itself. Reads may be sent again after a cut; writes must never come through here.
 */
export function createReadRedis(url: string, name: string): Redis {
  const redis = new ReadRedis(url, {
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
