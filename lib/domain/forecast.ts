import type { FlowMinute, Level, QueueRecent } from "./recent";

/** What becomes of a backlog at the rate of the last minutes. Rates are per second. */
export type Forecast =
  | { kind: "empty" }
  | { kind: "clears"; inMs: number; rows: number; drain: number }
  | { kind: "steady"; rows: number }
  | { kind: "growing"; rows: number; growth: number }
  /** Nothing leaves it. */
  | { kind: "stuck"; rows: number; minutes: number }
  | { kind: "untold" };

/** Fewer readings, or a shorter time, prove no rate. */
const READINGS_MIN = 6;
const LENGTH_MIN_MS = 30_000;
/** A silence longer than this between two readings: what was before it is of another time. */
const GAP_MS = 20_000;
/** A handful comes and goes: no rate is made of it. */
const FEW = 10;
/** A change of fewer rows than this over the whole time, or of less than a fiftieth, is noise. */
const NOISE = 3;
const NOISE_SHARE = 0.02;
/** So many minutes without anything settled. */
const STUCK_MINUTES = 2;

/** Judges the readings since the last gap, by the straight line that fits them best. */
export function forecastOf({ levels, flow }: Pick<QueueRecent, "levels" | "flow">): Forecast {
  const readings = sinceGap(levels);
  const last = readings.at(-1);
  if (!last) return { kind: "untold" };
  const { rows } = last;
  if (rows === 0) return { kind: "empty" };
  const lengthMs = last.atMs - (readings[0]?.atMs ?? last.atMs);
  if (readings.length < READINGS_MIN || lengthMs < LENGTH_MIN_MS) return { kind: "untold" };
  const perSecond = slope(readings);
  const change = Math.abs(perSecond) * (lengthMs / 1_000);
  if (change < Math.max(NOISE, rows * NOISE_SHARE)) {
    return nothingLeaves(flow) ? { kind: "stuck", rows, minutes: STUCK_MINUTES } : { kind: "steady", rows };
  }
  if (perSecond < 0) return { kind: "clears", inMs: (rows / -perSecond) * 1_000, rows, drain: -perSecond };
  return rows <= FEW ? { kind: "steady", rows } : { kind: "growing", rows, growth: perSecond };
}

type Told = { atMs: number; rows: number };

function sinceGap(levels: readonly Level[]): Told[] {
  const told: Told[] = [];
  for (const { atMs, rows } of levels) {
    const before = told.at(-1);
    if (rows === null || (before && atMs - before.atMs > GAP_MS)) told.length = 0;
    if (rows !== null) told.push({ atMs, rows });
  }
  return told;
}

/** Rows per second of the line with the least squares. */
function slope(readings: readonly Told[]): number {
  const [t0 = 0, n] = [readings[0]?.atMs, readings.length];
  const points = readings.map(({ atMs, rows }) => ({ t: (atMs - t0) / 1_000, rows }));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / n;
  const [tMean, rowsMean] = [mean(points.map(({ t }) => t)), mean(points.map(({ rows }) => rows))];
  const spread = points.reduce((sum, { t }) => sum + (t - tMean) ** 2, 0);
  return points.reduce((sum, { t, rows }) => sum + (t - tMean) * (rows - rowsMean), 0) / spread;
}

function nothingLeaves(flow: readonly FlowMinute[]): boolean {
  const late = flow.slice(-STUCK_MINUTES);
  return late.length === STUCK_MINUTES && late.every(({ done, died }) => done === 0 && died === 0);
}
