/** What this process has counted since its start, beside what the store keeps by the minute. */
export type Counters = { durableOnly: Record<"queue_full" | "queue_closed", number> };

export const createCounters = (): Counters => ({ durableOnly: { queue_full: 0, queue_closed: 0 } });
