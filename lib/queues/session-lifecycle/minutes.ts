import type { Redis } from "ioredis";
import type { MinuteCounts } from "@/lib/domain/minute-counts";
import type { MinuteReader } from "@/lib/queues/queue";
import { readTime, wrongTypeIs } from "./clock";
import { JOURNAL_KEYS } from "./keys";

const MINUTE = 60_000;
const DAY_MINUTES = 1_440;

/** Words that are counted: what was worked off is either done, or was found to be overtaken by a reconnect. */
const WORDS = ["done", "skipped_reconnected", "failed", "dead"] as const;

/** The minute counts that the engine keeps beside the lists. A minute in which nothing was counted is a zero. */
export const minuteReader = (redis: Redis): MinuteReader => ({
  async readMinutes(sinceMs) {
    const kept = await redis.hlen(JOURNAL_KEYS.minutes).catch(wrongTypeIs(0));
    if (kept === 0) return null;
    const last = Math.floor((await readTime(redis)) / MINUTE);
    const asked = Math.floor((sinceMs ?? Number.POSITIVE_INFINITY) / MINUTE);
    const first = Math.max(last - DAY_MINUTES, Math.min(asked, last - 2));
    const minutes = Array.from({ length: last - first + 1 }, (_, n) => (first + n) * MINUTE);
    return readCounts(redis, minutes);
  },
});

/** What was counted in some minutes, which begin at these instants (ms since 1970). */
export async function readCounts(redis: Redis, minutes: readonly number[]): Promise<MinuteCounts[]> {
  const fields = minutes.flatMap((minute) => WORDS.map((word) => `${minute} ${word}`));
  const counts = await redis.hmget(JOURNAL_KEYS.minutes, ...fields);
  const at = (n: number) => Number(counts[n] ?? 0) || 0;
  return minutes.map((minuteMs, n) => {
    const from = n * WORDS.length;
    return {
      minuteMs,
      done: at(from) + at(from + 1),
      failed: at(from + 2),
      died: at(from + 3),
      lostLeases: null,
      staleSettles: null,
    };
  });
}
