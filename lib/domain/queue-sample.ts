import type { MinuteCounts } from "./minute-counts";
import type { Depths } from "./queue";

/** What the engine has counted of one queue since its start; null: it was not asked, or has no such counter. */
export type EngineCounters = {
  /** Writes queued durably whose worker could not be told, by the reason. */
  durableOnly: Record<string, number> | null;
  /** Cleanups whose journal entry could not be appended. */
  enqueueErrors: number | null;
};

/** One reading of a queue by the keeper. What could not be told is null, and is never a zero. */
export type QueueSample = {
  depths: Depths;
  /** Dead letters that a person has resolved; null: not told. */
  resolved: number | null;
  /** The minute that has begun and those just before it; null: the store counts none. */
  minutes: MinuteCounts[] | null;
  counters: EngineCounters;
};
