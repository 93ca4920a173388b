import type { Redis } from "ioredis";
import { answerWithin } from "@/lib/db/sessions";
import type { Finding } from "@/lib/domain/preflight";
import { proseDuration } from "@/lib/domain/time";
import { type Danger, dangersOf, readInfo, redisFinding } from "@/lib/queues/redis-fit";
import { JOURNAL_KEYS } from "@/lib/queues/session-lifecycle/keys";

/** Keys of which a requeue writes or removes something. */
const WRITTEN = {
  pending: JOURNAL_KEYS.pending,
  "dead letters": JOURNAL_KEYS.deadLetter,
  operations: JOURNAL_KEYS.operations,
  outcomes: JOURNAL_KEYS.outcomes,
};
const TYPES: Record<keyof typeof WRITTEN, string> = {
  pending: "list",
  "dead letters": "list",
  operations: "hash",
  outcomes: "hash",
};

const WORDS = {
  whatToDo: "mend it first: a requeue takes the letter out of Redis and puts its entry into Redis.",
  acknowledgement: "Redis is not in order. I know that the requeue may fail, or be lost.",
};

/** Whether Redis takes what a requeue writes, and keeps it: INFO, and the queue's own keys. Never throws. */
export async function storeFit(redis: Redis): Promise<Finding> {
  const [read, keys] = await Promise.all([readInfo(redis), answerWithin(keyDangers(redis))]);
  if (read.kind === "unread") return read.finding;
  return redisFinding(read.info, [...dangersOf(read.info), ...(keys ?? [])], WORDS);
}

async function keyDangers(redis: Redis): Promise<Danger[]> {
  const names = Object.keys(WRITTEN) as (keyof typeof WRITTEN)[];
  const pipeline = redis.pipeline();
  for (const name of names) pipeline.pttl(WRITTEN[name]).type(WRITTEN[name]);
  const answers = (await pipeline.exec()) ?? [];
  return names.flatMap((name, n): Danger[] => {
    const [, ttl] = answers[n * 2] ?? [];
    const [, type] = answers[n * 2 + 1] ?? [];
    const dangers: Danger[] = [];
    if (typeof type === "string" && type !== "none" && type !== TYPES[name]) {
      dangers.push({
        title: `The key of the ${name} is of another type`,
        reason: `It is a ${type}, not a ${TYPES[name]}: every requeue is refused (WRONGTYPE).`,
      });
    }
    if (typeof ttl === "number" && ttl >= 0) {
      dangers.push({
        title: `The key of the ${name} expires`,
        reason: `In ${proseDuration(ttl)} Redis drops it with all that is in it.`,
      });
    }
    return dangers;
  });
}
