/**
 * How instants and lengths of time are written. Everything is computed from instants that came from a store's clock:
 * nothing in here asks what time it is. Instants are ms since 1970, lengths are ms.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Years outside 1 to 9999 are nobody's plan: they are how a store writes infinity (`±8.64e15` is the last Date). */
const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
const LAST_MS = Date.UTC(10_000, 0, 1);

/** `never` for an instant after all others, `always` for one before all others, null for an ordinary one. */
export function beyond(ms: number): "never" | "always" | null {
  if (Number.isNaN(ms) || ms >= LAST_MS) return "never";
  return ms < FIRST_MS ? "always" : null;
}

const two = (value: number) => String(value).padStart(2, "0");

/** `42s`, `9m 48s`, `2h 05m`, `3d 04h`, `120d`. A negative length is `0s`: clocks that disagree make no negative ages. */
export function duration(ms: number): string {
  if (beyond(ms) === "never") return "forever";
  const length = Math.max(0, Math.floor(ms / SECOND) * SECOND);
  if (length < MINUTE) return `${length / SECOND}s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)}m ${two((length % MINUTE) / SECOND)}s`;
  if (length < DAY) return `${Math.floor(length / HOUR)}h ${two(Math.floor((length % HOUR) / MINUTE))}m`;
  if (length < 100 * DAY) return `${Math.floor(length / DAY)}d ${two(Math.floor((length % DAY) / HOUR))}h`;
  return `${Math.floor(length / DAY)}d`;
}

/** The first unit alone: `42s`, `9m`, `2h`, `3d`. For lists, where the exact length is in the tooltip. */
export function coarseDuration(ms: number): string {
  return duration(ms).split(" ")[0] ?? "";
}

/** A measured length, with what a second hides: `9 ms`, `2.1s`, then as `duration`. */
export function elapsed(ms: number): string {
  if (ms < 999.5) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 9_950) return `${(ms / SECOND).toFixed(1)}s`;
  return duration(ms);
}

/** In a sentence: `42 s`, `5 min`, then as `duration`. */
export function proseDuration(ms: number): string {
  const length = Math.max(0, Math.floor(ms / SECOND) * SECOND);
  if (length < MINUTE) return `${length / SECOND} s`;
  if (length < HOUR && length % MINUTE === 0) return `${length / MINUTE} min`;
  return duration(ms);
}

/**
 * How far `atMs` lies from `nowMs`: `4m ago`, `in 12s`, `now`, `never`, `always`. `exact` keeps the second unit.
 * What is past is rounded down and what is to come is rounded up, so that a countdown ends at `in 1s` and then is now.
 */
export function relative(atMs: number, nowMs: number, exact = false): string {
  const edge = beyond(atMs);
  if (edge) return edge;
  const write = exact ? duration : coarseDuration;
  const away = nowMs - atMs;
  if (away < 0) return `in ${write(Math.ceil(-away / SECOND) * SECOND)}`;
  return away < SECOND ? "now" : `${write(away)} ago`;
}

/** For `<time datetime>`; null where there is no such instant. */
export function isoUtc(ms: number): string | null {
  return beyond(ms) ? null : new Date(ms).toISOString();
}

/** `2026-11-14` */
export function utcDate(ms: number): string {
  return beyond(ms) ?? new Date(ms).toISOString().slice(0, 10);
}

/** `03:41:07` */
export function utcClock(ms: number): string {
  return beyond(ms) ?? new Date(ms).toISOString().slice(11, 19);
}

/** `03:41` */
export function utcMinute(ms: number): string {
  return beyond(ms) ?? new Date(ms).toISOString().slice(11, 16);
}

/** `2026-11-14 03:41:07 UTC` */
export function utcFull(ms: number): string {
  return beyond(ms) ?? `${utcDate(ms)} ${utcClock(ms)} UTC`;
}

/** The clock time, with its date where that is another UTC day than `nowMs`. */
export function utcStamp(ms: number, nowMs: number): string {
  if (beyond(ms) || utcDate(ms) === utcDate(nowMs)) return utcClock(ms);
  return `${utcDate(ms)} ${utcMinute(ms)}`;
}

/** `02:41 to 03:41 UTC`, with its dates where a day ends in it: `2026-11-13 22:41 to 2026-11-14 03:41 UTC`. */
export function utcSpan(fromMs: number, toMs: number): string {
  const dated = utcDate(fromMs) !== utcDate(toMs);
  const written = (ms: number) => (dated ? `${utcDate(ms)} ${utcMinute(ms)}` : utcMinute(ms));
  return `${written(fromMs)} to ${written(toMs)} UTC`;
}

/** `04:41:07 Europe/Berlin (UTC+1)` */
export function localClock(ms: number, timeZone: string): string {
  if (beyond(ms)) return "";
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "shortOffset",
  }).formatToParts(ms);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  const offset = part("timeZoneName").replace("GMT", "UTC");
  return `${part("hour")}:${part("minute")}:${part("second")} ${timeZone} (${offset})`;
}

/** What hovering an instant tells: UTC, the reader's own clock, and how long ago on the database clock. */
export function timeTip(atMs: number, nowMs: number | null, timeZone: string): string {
  const edge = beyond(atMs);
  if (edge) return edge === "never" ? "No end: the store holds infinity" : "No beginning: the store holds -infinity";
  const lines = timeZone === "UTC" ? [utcFull(atMs)] : [utcFull(atMs), localClock(atMs, timeZone)];
  if (nowMs !== null) lines.push(`${relative(atMs, nowMs, true)} on the database clock`);
  return lines.join("\n");
}
