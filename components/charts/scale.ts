const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps between marks of an axis of ages. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 30].map((each) => each * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((each) => each * MINUTE),
  ...[1, 2, 4, 6, 12].map((each) => each * HOUR),
  ...[1, 2, 5, 10, 30, 100, 365].map((each) => each * DAY),
];

/** Marks of an axis of ages from 0 to a little above `maxMs`: two to four, the last is the top of the plot. */
export function ageTicks(maxMs: number): number[] {
  const top = Math.max(maxMs, 2 * SECOND);
  const step = STEPS.find((each) => top / each <= 3) ?? Math.ceil(top / 3);
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
}

/** `0`, `30s`, `20m`, `4h`, `2d`: a mark of an axis, in its largest whole unit. */
export function ageTickText(ms: number): string {
  if (ms === 0) return "0";
  if (ms % DAY === 0) return `${ms / DAY}d`;
  if (ms % HOUR === 0) return `${ms / HOUR}h`;
  return ms % MINUTE === 0 ? `${ms / MINUTE}m` : `${Math.round(ms / SECOND)}s`;
}

/**
 * Marks of a time axis: both ends, and whole ten minutes that leave room for the words of the ends: a fifth of the axis,
 * which on a page of 320 px is one and a half words.
 */
export function timeTicks(fromMs: number, toMs: number): number[] {
  const every = Math.max(10 * MINUTE, Math.ceil((toMs - fromMs) / 6 / (10 * MINUTE)) * 10 * MINUTE);
  const room = (toMs - fromMs) / 5;
  const between: number[] = [];
  for (let at = Math.ceil(fromMs / every) * every; at < toMs; at += every) {
    if (at - fromMs > room && toMs - at > room) between.push(at);
  }
  return [fromMs, ...between, toMs];
}

export type AgePoint = { atMs: number; ageMs: number | null };

/** Readings as unbroken stretches: a missing value, or a silence longer than `gapMs`, is a gap and never a line. */
export function stretches(readings: readonly AgePoint[], gapMs: number): { atMs: number; ageMs: number }[][] {
  const out: { atMs: number; ageMs: number }[][] = [];
  let open = false;
  for (const { atMs, ageMs } of readings) {
    if (ageMs === null) {
      open = false;
      continue;
    }
    const last = out.at(-1);
    const before = last?.at(-1);
    if (open && last && before && atMs - before.atMs <= gapMs) last.push({ atMs, ageMs });
    else out.push([{ atMs, ageMs }]);
    open = true;
  }
  return out;
}
