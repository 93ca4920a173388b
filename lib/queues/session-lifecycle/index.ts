import type { Redis } from "ioredis";
import { z } from "zod";
import type { Depths, Reading } from "@/lib/domain/queue";
import { failedReading } from "@/lib/queues/failed-reading";
import type { Queue, Sources } from "@/lib/queues/queue";
import { JOURNAL_KEYS } from "./keys";

/** Runtimes whose processing lists are counted; beyond that the count would cost more than it tells. */
const RUNTIMES_MAX = 200;

const Length = z.number().int().nonnegative();
const Time = z.tuple([z.string(), z.string()]);

/** List lengths as they are, on Redis's own clock. A key of another type fails that one count, and so says "cannot tell". */
async function readDepths(redis: Redis): Promise<Reading<Depths>> {
  try {
    const runtimes = await redis.hkeys(JOURNAL_KEYS.runtimes).catch(() => [] as string[]);
    const processing = [JOURNAL_KEYS.processing, ...runtimes.slice(0, RUNTIMES_MAX).map(JOURNAL_KEYS.processingOf)];
    const [time, pending, dead, ...held] = await Promise.all([
      redis.time().then((parts) => Time.parse(parts.map(String))),
      length(redis, JOURNAL_KEYS.pending),
      length(redis, JOURNAL_KEYS.deadLetter),
      ...processing.map((key) => length(redis, key)),
    ]);
    return {
      kind: "read",
      value: {
        atMs: Number(time[0]) * 1000 + Math.floor(Number(time[1]) / 1000),
        due: pending,
        scheduled: null,
        retrying: null,
        leased: null,
        expired: null,
        processing: held.includes(null) ? null : held.reduce<number>((sum, count) => sum + (count ?? 0), 0),
        dead,
        oldestDueMs: null,
      },
    };
  } catch (error) {
    return failedReading(error, "Redis");
  }
}

async function length(redis: Redis, key: string): Promise<number | null> {
  try {
    return Length.parse(await redis.llen(key));
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return null;
    throw error;
  }
}

/** The session lifecycle journal in Redis lists (`contracts.md` §2): its depths. Letters and requeue come with its page. */
export function sessionLifecycle({ redis }: Sources): Queue {
  const nothing = { kind: "not_configured", sentence: "REDIS_URL is not set." } as const;
  return {
    name: "session-lifecycle",
    shape: "redis-list",
    leases: false,
    schedules: false,
    deadLetterCap: null,
    keepsLettersAfterRequeue: false,
    jobs: null,
    workers: null,
    impacts: null,
    letters: null,
    minutes: null,
    archive: null,
    door: null,
    readDepths: () => (redis ? readDepths(redis) : Promise.resolve(nothing)),
    readGaps: async () => (redis ? [] : [nothing.sentence]),
  };
}
