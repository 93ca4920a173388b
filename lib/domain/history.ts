import { z } from "zod";
import { QueueName, Reading } from "./queue";

/** One sample of a queue's oldest age: null where it could not be told. Times in ms since 1970, ages in ms. */
export const AgePoint = z.object({ atMs: z.number(), ageMs: z.number().nullable() });
export type AgePoint = z.infer<typeof AgePoint>;

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

/** The last half hour of one queue, as the keeper sampled it. */
export const QueueHistory = DeadHistory.extend({ name: QueueName, points: z.array(AgePoint) });
export type QueueHistory = z.infer<typeof QueueHistory>;

/** The samples of every queue over `minutes`, up to `toMs` on the clock of the console's own database. */
export const History = z.object({ minutes: z.number().int(), toMs: z.number(), queues: z.array(QueueHistory) });
export type History = z.infer<typeof History>;

/** As it travels: the history, or why there is none just now. */
export const HistoryReading = Reading(History);
