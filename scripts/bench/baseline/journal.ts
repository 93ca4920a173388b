import type { Redis } from "ioredis";

/** The bare commands of a list queue, `batch` to a pipeline: put in, take, remove. Nothing is read, counted or guarded. */
export async function bareJournal(redis: Redis, key: string, entries: readonly Buffer[], batch: number): Promise<void> {
  for (let n = 0; n < entries.length; n += batch) {
    const putIn = redis.pipeline();
    for (const entry of entries.slice(n, n + batch)) putIn.lpush(`${key}:pending`, entry);
    await putIn.exec();
  }
  for (let n = 0; n < entries.length; n += batch) {
    const take = redis.pipeline();
    for (let each = n; each < n + batch; each += 1)
      take.lmoveBuffer(`${key}:pending`, `${key}:processing:bare`, "RIGHT", "LEFT");
    const taken = (await take.exec()) ?? [];
    const ack = redis.pipeline();
    for (const [, entry] of taken) ack.lrem(`${key}:processing:bare`, -1, entry as Buffer);
    await ack.exec();
  }
}
