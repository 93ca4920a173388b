import { utcDate, utcMinute } from "@/lib/domain/time";

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

/** Marks of an axis of counts from 0 up to a little above `max`: two to four whole numbers, the last is the top. */
export function countTicks(max: number): number[] {
  const top = Math.max(1, max);
  const power = 10 ** Math.floor(Math.log10(top));
  const step =
    [0.5, 1, 2, 5].map((each) => Math.max(1, Math.round(each * power))).find((each) => top / each <= 3) ?? top;
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
}

/** Steps between marks of a time axis. */
const TIME_STEPS = [
  ...[1, 5, 10, 20, 30].map((each) => each * MINUTE),
  ...[1, 2, 3, 6, 12].map((each) => each * HOUR),
  ...[1, 2, 5, 10].map((each) => each * DAY),
];

/**
 * Marks of a time axis: both ends, and whole steps that leave room for the words of the ends: a fifth of the axis,
 * which on a page of 320 px is one and a half words.
 */
export function timeTicks(fromMs: number, toMs: number): number[] {
  const every = TIME_STEPS.find((each) => (toMs - fromMs) / each <= 4) ?? 10 * DAY;
  const room = (toMs - fromMs) / 5;
  const between: number[] = [];
  for (let at = Math.ceil(fromMs / every) * every; at < toMs; at += every) {
    if (at - fromMs > room && toMs - at > room) between.push(at);
  }
  return [fromMs, ...between, toMs];
}

/** `03:41`, and on an axis of days `11-14`: always UTC. */
export function timeTickText(atMs: number, lengthMs: number): string {
  return lengthMs > 36 * HOUR ? utcDate(atMs).slice(5) : utcMinute(atMs);
}
