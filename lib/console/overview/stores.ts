import type { Redis } from "ioredis";
import type { Pool } from "pg";
import { z } from "zod";
import { ms, one, type Sql } from "@/lib/db/pg";
import type { Reading } from "@/lib/domain/queue";
import { failedReading } from "@/lib/queues/failed-reading";

const CLOCK: Sql = { name: "overview_clock", text: `select ${ms("clock_timestamp()")} as at_ms` };
const Row = z.object({ at_ms: z.number() });

/** The database clock (ms since 1970), and how long the answer took. */
export async function readClock(pool: Pool): Promise<Reading<{ atMs: number; tookMs: number }>> {
  const begun = performance.now();
  try {
    const { at_ms } = await one(pool, CLOCK, Row);
    return { kind: "read", value: { atMs: at_ms, tookMs: performance.now() - begun } };
  } catch (error) {
    return failedReading(error, "Postgres");
  }
}

/** How long Redis takes to say that it is there. */
export async function readPing(redis: Redis | null): Promise<Reading<{ tookMs: number }>> {
  if (!redis) return { kind: "not_configured", sentence: "REDIS_URL is not set." };
  const begun = performance.now();
  try {
    await redis.ping();
    return { kind: "read", value: { tookMs: performance.now() - begun } };
  } catch (error) {
    return failedReading(error, "Redis");
  }
}
