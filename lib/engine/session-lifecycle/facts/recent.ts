import type { JournalQueue } from "@/lib/engine/session-lifecycle/journal-queue";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";

const MINUTE = 60_000;
const MINUTES = 5;

/** Redis's clock, and what was worked off and what failed in its last minutes. */
export async function readRecent({
  redis,
  keys,
}: JournalQueue): Promise<{ readAt: string; recent: JournalFacts["recent"] }> {
  const [seconds, micros] = await redis.time();
  const nowMs = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  const minutes = Array.from({ length: MINUTES }, (_, n) => (Math.floor(nowMs / MINUTE) - n) * MINUTE);
  const sum = async (word: string) => {
    const counts = await redis.hmget(keys.minutes, ...minutes.map((minute) => `${minute} ${word}`));
    return counts.reduce((total, count) => total + Number(count ?? 0), 0);
  };
  const [done, failed, dead] = await Promise.all([sum("done"), sum("failed"), sum("dead")]);
  return { readAt: new Date(nowMs).toISOString(), recent: { minutes: MINUTES, done, failed: failed + dead } };
}
