import { z } from "zod";

/** Where a queue's work waits, and so what can be asked of it. */
export const QueueShape = z.enum(["postgres-lease", "redis-list", "redis-stream"]);
export type QueueShape = z.infer<typeof QueueShape>;

export const QueueName = z.enum(["persistence-retry", "session-lifecycle"]);
export type QueueName = z.infer<typeof QueueName>;

/** A count of a queue; null where the queue has no such concept or it could not be told. */
export const Count = z.number().int().min(0).nullable();

/** A store stops counting here: with more rows than that a count says "at least". */
export const COUNT_MAX = 50_000;

/** Work that may be taken now by the time since it was queued: under 10 s, 1 min, 5 min, 30 min, and older. */
export const AgeCounts = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]);
export type AgeCounts = z.infer<typeof AgeCounts>;

/** What the counts of a reading are called. */
export const CountName = z.enum(["due", "scheduled", "retrying", "leased", "expired", "processing", "dead"]);
export type CountName = z.infer<typeof CountName>;

/** Counts and the oldest age of one queue at one instant of its store's clock (ms since 1970; ages in ms). */
export const Depths = z.object({
  atMs: z.number(),
  due: Count,
  scheduled: Count,
  retrying: Count,
  leased: Count,
  expired: Count,
  processing: Count,
  dead: Count,
  oldestDueMs: z.number().nullable(),
  /** Absent: not told. Together they are `due` and `expired`. */
  ages: AgeCounts.nullish(),
  /** Counts that stopped at `COUNT_MAX`: at least so many; ages then speak of those that were counted. */
  capped: z.array(CountName).optional(),
  /** For how long the longest due row could have been taken. Absent: not told. */
  untakenMs: z.number().nullish(),
});
export type Depths = z.infer<typeof Depths>;

/** What a read gives: a value, a reason why there is none just now, or that there is nothing to read it from. */
export const Reading = <S extends z.ZodType>(value: S) =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("read"), value }),
    z.object({ kind: z.literal("failed"), sentence: z.string(), code: z.string() }),
    z.object({ kind: z.literal("not_configured"), sentence: z.string() }),
  ]);
export type Reading<T> =
  | { kind: "read"; value: T }
  | { kind: "failed"; sentence: string; code: string }
  | { kind: "not_configured"; sentence: string };
