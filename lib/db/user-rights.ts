import type { Redis } from "ioredis";
import { journalKeyPrefix } from "@/lib/config";
import { listed } from "./role-rights";

/** What a user that only reads is refused, and a command of each kind. None of them is ever carried out. */
const asked = (): [may: string, command: string, ...args: string[]][] => [
  ["write lists", "LPUSH", `${journalKeyPrefix()}:pending`, "-"],
  ["write keys", "SET", "session:active:-", "-"],
  ["delete keys", "DEL", `${journalKeyPrefix()}:dead_letter`],
  ["run scripts", "EVAL", "return 1", "0"],
  ["read every key", "GET", "backstop-may-not-read-this"],
  ["change settings", "CONFIG", "SET", "maxmemory-samples", "5"],
  ["empty the database", "FLUSHDB"],
  ["manage users", "ACL", "LIST"],
];

const PATIENCE_MS = 2_000;

/**
 * What the user of a connection may do that a desk never needs, as one sentence; null: nothing. Asked on a connection of
 * its own within a MULTI that is never executed: rights are judged when a command is queued, and the connection is then
 * dropped. Throws when it cannot be asked.
 */
export async function wideUserRights(redis: Redis): Promise<string | null> {
  const asking = redis.duplicate({
    connectionName: "backstop-rights",
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    commandTimeout: PATIENCE_MS,
  });
  asking.on("error", () => {});
  try {
    await asking.connect();
    if (!(await begins(asking))) return "Whether the Redis user may write cannot be told: it may not use MULTI.";
    const may: string[] = [];
    for (const [what, command, ...args] of asked()) if (await isAllowed(asking, command, args)) may.push(what);
    return may.length === 0 ? null : `The Redis user may ${listed(may)}.`;
  } finally {
    asking.disconnect();
  }
}

async function begins(asking: Redis): Promise<boolean> {
  try {
    return (await asking.call("MULTI")) === "OK";
  } catch (error) {
    if ((error as Error).message.startsWith("NOPERM")) return false;
    throw error;
  }
}

/** Rights are judged before anything else that a server may have against a command, but whether there is such a one. */
async function isAllowed(asking: Redis, command: string, args: string[]): Promise<boolean> {
  try {
    return (await asking.call(command, ...args)) === "QUEUED";
  } catch (error) {
    const { message } = error as Error;
    if (/^NOPERM|unknown command/i.test(message)) return false;
    if (/^[A-Z]+ /.test(message)) return true;
    throw error;
  }
}
