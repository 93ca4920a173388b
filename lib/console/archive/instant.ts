/** What Postgres takes for an instant: the years 1 to 9999. */
const [LEAST, MOST] = [Date.UTC(2000, 0, 1) - 63_082_281_600_000, Date.UTC(9999, 11, 31)];

/** An instant of a store, in ms, within what can be written. */
export const writable = (ms: number | null): number | null => ms && Math.min(MOST, Math.max(LEAST, ms));
