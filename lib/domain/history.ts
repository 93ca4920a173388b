import { z } from "zod";
import { QueueName, Reading } from "./queue";

/** Equal stretches of time, each from `fromMs + index * widthMs` (ms since 1970). */
export const HistoryBins = z.object({ fromMs: z.number(), widthMs: z.number(), count: z.number().int() });
export type HistoryBins = z.infer<typeof HistoryBins>;

/** A value for each bin; null where it was not read or not told: a gap is a gap. */
export const Column = z.array(z.number().nullable());
export type Column = z.infer<typeof Column>;
/** Null: this queue never told it in this stretch of time. */
const MaybeColumn = Column.nullable();

/** One queue as the keeper sampled it. Ages in ms; counts of a bin are of its last reading, the age is its highest. */
export const QueueHistory = z.object({
  name: QueueName,
  oldest: MaybeColumn,
  /** Rows that may be taken: all, and by their age, the youngest first. */
  waiting: MaybeColumn,
  ages: z.array(Column).length(5).nullable(),
  /** By the bins of `counts`: writes that were settled in them. */
  done: MaybeColumn,
  failed: MaybeColumn,
  died: MaybeColumn,
});
export type QueueHistory = z.infer<typeof QueueHistory>;

/** Dead letters of one kind by the bins of `counts`, as the archive has them. */
export const Deaths = z.object({ queue: z.string(), kind: z.string(), counts: z.array(z.number()), total: z.number() });
export type Deaths = z.infer<typeof Deaths>;

/** Something that was done: a word on the chart, its sentence, and the page about it. */
export const ChartMark = z.object({
  atMs: z.number(),
  word: z.string(),
  text: z.string(),
  href: z.string().nullable(),
  /** The queue that it was done to; absent: none, or all of them. */
  queue: z.string().nullish(),
});
export type ChartMark = z.infer<typeof ChartMark>;

/** What the charts of a range are drawn from. `toMs` is on the clock of the console's own database. */
export const History = z.object({
  fromMs: z.number(),
  toMs: z.number(),
  levels: HistoryBins,
  /** The store counts by the minute: never narrower than that. */
  counts: HistoryBins,
  queues: z.array(QueueHistory),
  deaths: z.array(Deaths),
  /** Kinds with dead letters beyond those that are told apart. */
  moreKinds: z.number().int(),
  marks: z.array(ChartMark),
});
export type History = z.infer<typeof History>;

/** As it travels: the history, or why there is none just now. */
export const HistoryReading = Reading(History);
