import { z } from "zod";
import { QueueName, Reading } from "./queue";

/** What the samples tell of a queue's dead letters; null where they do not prove it. All on the queue's own clock. */
export const DeadHistory = z.object({
  /** Since when there have been some without a break. */
  sinceMs: z.number().nullable(),
  /** How long none was added, up to the newest sample. */
  quietMs: z.number().nullable(),
  /** When the newest sample was taken. */
  sampledMs: z.number().nullable(),
});
export type DeadHistory = z.infer<typeof DeadHistory>;

/** All rows of a queue that are not dead, at one reading. Null: not told, or only "at least". */
export const Level = z.object({ atMs: z.number(), rows: z.number().nullable() });
export type Level = z.infer<typeof Level>;

/** What left a queue in one whole minute, and how many rows it had at its end; null: not told. */
export const FlowMinute = z.object({
  rows: z.number().nullable(),
  done: z.number().nullable(),
  died: z.number().nullable(),
});
export type FlowMinute = z.infer<typeof FlowMinute>;

/** What stands in the samples of the last quarter of an hour beside the depths; null: not told. */
export const Watched = z.object({
  minutes: z.number(),
  lostLeases: z.number().nullable(),
  died: z.number().nullable(),
  /** Increases of the engine's counters. */
  durableOnly: z.record(z.string(), z.number()).nullable(),
  enqueueErrors: z.number().nullable(),
  /** Rows that are not dead at the beginning and at the end. */
  rowsBefore: z.number().nullable(),
  rowsNow: z.number().nullable(),
});
export type Watched = z.infer<typeof Watched>;

/** The last half hour of one queue, as the keeper sampled it. */
export const QueueRecent = DeadHistory.extend({
  name: QueueName,
  /** The last minutes, oldest first. */
  levels: z.array(Level),
  /** The last 30 whole minutes, oldest first. */
  flow: z.array(FlowMinute),
  watched: Watched,
});
export type QueueRecent = z.infer<typeof QueueRecent>;

export const Recent = z.object({ toMs: z.number(), queues: z.array(QueueRecent) });
export type Recent = z.infer<typeof Recent>;

/** As it travels: what was sampled of late, or why that is not known just now. */
export const RecentReading = Reading(Recent);
