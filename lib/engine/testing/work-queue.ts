import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import {
  createWriteRedis,
  readEntries,
  readLetters,
  type WorkQueue,
  workQueueKeys,
} from "@/lib/engine/durable/redis-work-queue";

/** A queue of JSON items on a real Redis, under keys of its own. */
export type TestQueue = WorkQueue<unknown> & {
  prefix: string;
  /** Of its connections, as CLIENT LIST shows it. */
  name: string;
  /** Another connection, as a user who may do everything. */
  admin: Redis;
  /** Another worker's connection to the same queue. */
  another(): Promise<WorkQueue<unknown>>;
  close(): Promise<void>;
};

export function decodeJson(item: Buffer): { ok: true; value: unknown } | { ok: false; error: string } {
  try {
    return { ok: true, value: JSON.parse(item.toString()) };
  } catch (error) {
    return { ok: false, error: `parse error: ${(error as Error).message}` };
  }
}

/** Opens one; `url` of the engine's user, `adminUrl` of one who may do everything. */
export async function openTestQueue(url: string, adminUrl: string): Promise<TestQueue> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const prefix = `{session_lifecycle}:${name}`;
  const admin = new Redis(adminUrl, { retryStrategy: () => 100 });
  admin.on("error", () => {});
  const opened: Redis[] = [];
  const connect = async (): Promise<WorkQueue<unknown>> => {
    const redis = createWriteRedis(url, name);
    opened.push(redis);
    await redis.connect();
    return { redis, keys: workQueueKeys(prefix), decode: decodeJson };
  };
  return {
    ...(await connect()),
    prefix,
    name,
    admin,
    another: connect,
    async close() {
      for (const redis of opened) redis.disconnect();
      const keys = await admin.keys(`${prefix}:*`);
      if (keys.length > 0) await admin.del(...keys);
      admin.disconnect();
    },
  };
}

/** Everything that the queue holds: of each list its elements' bytes, the oldest first. */
export async function bytesOf({ admin, keys, prefix }: TestQueue) {
  const list = async (key: string) => (await admin.lrangeBuffer(key, 0, -1)).reverse();
  const processing = await admin.keys(`${prefix}:processing*`);
  return {
    pending: await list(keys.pending),
    retrying: await list(keys.retrying),
    processing: (await Promise.all(processing.sort().map(list))).flat(),
    dead: await list(keys.deadLetter),
  };
}

/** The same by entry id; a letter by the id of the entry that died. What is none is `?`. */
export async function idsOf(queue: TestQueue) {
  const processing = await queue.admin.keys(`${queue.prefix}:processing*`);
  const ids = async (key: string) =>
    (await readEntries(queue, key, { max: 1e6, first: "oldest" })).map(({ value }) => value?.entryId ?? "?");
  return {
    pending: await ids(queue.keys.pending),
    retrying: await ids(queue.keys.retrying),
    processing: (await Promise.all(processing.sort().map(ids))).flat(),
    dead: (await readLetters(queue, { max: 1e6, first: "oldest" })).map(({ value }) => value?.entryId ?? "?"),
  };
}

/** What was counted, whatever the minute. */
export async function countsOf({ admin, keys }: TestQueue): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [field, count] of Object.entries(await admin.hgetall(keys.minutes))) {
    const word = field.split(" ")[1] ?? "";
    counts[word] = (counts[word] ?? 0) + Number(count);
  }
  return counts;
}

/** Every key of the queue that is there, without its prefix: what a step has left behind. */
export async function keysOf({ admin, prefix }: TestQueue): Promise<string[]> {
  return (await admin.keys(`${prefix}:*`)).map((key) => key.slice(prefix.length + 1)).sort();
}
