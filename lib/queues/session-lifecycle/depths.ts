import type { Redis } from "ioredis";
import { z } from "zod";
import type { Depths, Reading } from "@/lib/domain/queue";
import { failedReading } from "@/lib/queues/failed-reading";
import { readTime, wrongTypeIs } from "./clock";
import { enqueuedMsOf } from "./envelope/entry";
import { JOURNAL_KEYS } from "./keys";

/** Runtimes whose processing lists are counted; beyond that the count would cost more than it tells. */
const RUNTIMES_MAX = 200;

const Length = z.number().int().nonnegative();

/** How many stand in a list; null: its key is of another type. */
export async function lengthOf(redis: Redis, key: string): Promise<number | null> {
  return Length.nullable().parse(await redis.llen(key).catch(wrongTypeIs(null)));
}

/** What waits longest in a list stands at its tail. Null: nothing does, or it does not tell since when. */
export async function oldestMs(redis: Redis, key: string): Promise<number | null> {
  const last = await redis.lindexBuffer(key, -1).catch(wrongTypeIs(null));
  return last && enqueuedMsOf(last);
}

async function read(redis: Redis): Promise<Depths> {
  const runtimes = await redis.hkeys(JOURNAL_KEYS.runtimes).catch(wrongTypeIs<string[]>([]));
  const held = [JOURNAL_KEYS.processing, ...runtimes.slice(0, RUNTIMES_MAX).map(JOURNAL_KEYS.processingOf)];
  const [atMs, pending, retrying, dead, oldestPending, oldestRetrying, ...processing] = await Promise.all([
    readTime(redis),
    lengthOf(redis, JOURNAL_KEYS.pending),
    lengthOf(redis, JOURNAL_KEYS.retrying),
    lengthOf(redis, JOURNAL_KEYS.deadLetter),
    oldestMs(redis, JOURNAL_KEYS.pending),
    oldestMs(redis, JOURNAL_KEYS.retrying),
    ...held.map((key) => lengthOf(redis, key)),
  ]);
  const oldest = [oldestPending, oldestRetrying].filter((ms) => ms !== null);
  // What failed waits for the next tick: it is not taken yet, and nobody holds it.
  const due = sum([pending, retrying]);
  return {
    atMs,
    due,
    scheduled: null,
    retrying: null,
    leased: null,
    expired: null,
    processing: runtimes.length > RUNTIMES_MAX ? null : sum(processing),
    dead,
    oldestDueMs: oldest.length > 0 ? Math.max(0, atMs - Math.min(...oldest)) : due === 0 ? 0 : null,
  };
}

/** Null where one of them could not be told. */
function sum(counts: (number | null)[]): number | null {
  return counts.reduce((total, count) => (total === null || count === null ? null : total + count), 0);
}

/** List lengths as they are, on Redis's own clock. A key of another type fails that one count, and so says "cannot tell". */
export async function readDepths(redis: Redis): Promise<Reading<Depths>> {
  try {
    return { kind: "read", value: await read(redis) };
  } catch (error) {
    return failedReading(error, "Redis");
  }
}
