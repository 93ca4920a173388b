import type { Redis } from "ioredis";
import type { Finding } from "@/lib/domain/preflight";
import { dangersOf, readInfo, redisFinding } from "@/lib/queues/redis-fit";
import { keyDangers } from "@/lib/queues/session-lifecycle/key-dangers";

const WORDS = {
  whatToDo: "mend it first: a requeue takes the letter out of Redis and puts its entry into Redis.",
  acknowledgement: "Redis is not in order. I know that the requeue may fail, or be lost.",
};

/** Whether Redis takes what a requeue writes, and keeps it: INFO, and the queue's own keys. Never throws. */
export async function storeFit(redis: Redis): Promise<Finding> {
  const [read, keys] = await Promise.all([readInfo(redis), keyDangers(redis)]);
  if (read.kind === "unread") return read.finding;
  return redisFinding(read.info, [...dangersOf(read.info), ...keys], WORDS);
}
