import type { AnyQueue } from "./queue";

/** How many stand in each list; null: its key is of another type. */
export type QueueDepths = {
  /** Ms since 1970 on the store's clock. */
  atMs: number;
  pending: number | null;
  /** Failed, and waiting for the next tick. */
  retrying: number | null;
  /** In the list of writers that do not name their runtime. */
  plainProcessing: number | null;
  /** By runtime, with its last heartbeat (ms since 1970; null where that is not a number). */
  runtimes: { runtime: string; beatMs: number | null; processing: number | null }[];
  deadLetter: number | null;
};

/** Reads all depths in two round trips. Throws when the store cannot be read. */
export async function readDepths({ redis, keys }: AnyQueue): Promise<QueueDepths> {
  const beats = await redis.hgetall(keys.runtimes).catch(wrongTypeIs<Record<string, string>>({}));
  const names = Object.keys(beats);
  const lists = [keys.pending, keys.retrying, keys.processing, keys.deadLetter, ...names.map(keys.processingOf)];
  const [time, ...lengths] = await Promise.all([
    redis.time(),
    ...lists.map((key) => redis.llen(key).catch(wrongTypeIs(null))),
  ]);
  const [pending = null, retrying = null, plainProcessing = null, deadLetter = null, ...held] = lengths;
  return {
    atMs: Number(time[0]) * 1_000 + Math.floor(Number(time[1]) / 1_000),
    pending,
    retrying,
    plainProcessing,
    runtimes: names.map((runtime, n) => ({
      runtime,
      beatMs: Number(beats[runtime] || Number.NaN) || null,
      processing: held[n] ?? null,
    })),
    deadLetter,
  };
}

const wrongTypeIs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return value;
    throw error;
  };
