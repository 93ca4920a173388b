import type { Redis } from "ioredis";
import { answerWithin } from "@/lib/db/sessions";
import { proseDuration } from "@/lib/domain/time";
import type { Danger } from "@/lib/queues/redis-fit";
import { JOURNAL_KEYS } from "./keys";

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

/** What is wrong with the queue's own keys: another type, or an end. Never throws; what is not read is not told. */
export async function keyDangers(redis: Redis): Promise<Danger[]> {
  return (await answerWithin(read(redis))) ?? [];
}

async function read(redis: Redis): Promise<Danger[]> {
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
