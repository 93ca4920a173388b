const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Widths of a bin: no two neighbours are further apart than 2.5 times, so 60 to 180 bins always fit. */
const WIDTHS = [
  ...[1, 2, 5, 10, 20, 30].map((each) => each * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((each) => each * MINUTE),
  ...[1, 2, 4, 6, 12].map((each) => each * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 365].map((each) => each * DAY),
];
const BINS_MAX = 180;

/** Equal stretches of time, each from `fromMs + index * widthMs` on; the last one ends at `toMs`. */
export type Bins = { fromMs: number; toMs: number; widthMs: number; count: number };

/** Bins that cover a stretch of time, at most 180, on whole multiples of their width (UTC). Shorter than a minute: fewer than 60. */
export function binsOf(fromMs: number, toMs: number): Bins {
  for (const widthMs of WIDTHS) {
    const first = Math.floor(fromMs / widthMs) * widthMs;
    const count = Math.max(1, Math.ceil((toMs - first) / widthMs));
    if (count <= BINS_MAX) return { fromMs: first, toMs: first + count * widthMs, widthMs, count };
  }
  const widthMs = Math.ceil((toMs - fromMs) / BINS_MAX);
  return { fromMs, toMs: fromMs + widthMs * BINS_MAX, widthMs, count: BINS_MAX };
}
