import type { Redis } from "ioredis";
import { z } from "zod";

const Time = z.tuple([z.coerce.number(), z.coerce.number()]);

/** Redis's own clock, ms since 1970. */
export async function readTime(redis: Redis): Promise<number> {
  const [seconds, micros] = Time.parse(await redis.time());
  return seconds * 1_000 + Math.floor(micros / 1_000);
}

/** A key of another type is as good as none for whoever asks only how much or what is there. */
export const wrongTypeIs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return value;
    throw error;
  };
