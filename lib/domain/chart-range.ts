/** What a chart may show up to now, by its word in the address. */
export const SPANS = {
  "15m": 15 * 60_000,
  "1h": 3_600_000,
  "3h": 3 * 3_600_000,
  "24h": 24 * 3_600_000,
  "7d": 7 * 86_400_000,
  "30d": 30 * 86_400_000,
} as const;
export type Span = keyof typeof SPANS;

export const DEFAULT_SPAN: Span = "1h";

/** A stretch of time for charts: so long up to now, or between two instants (ms since 1970, the second not in it). */
export type ChartRange = { kind: "last"; span: Span } | { kind: "between"; fromMs: number; toMs: number };

/** What an address may say of it. */
export type RangeParams = { range?: string | undefined; from?: string | undefined; to?: string | undefined };

/** What a page's address says of it; a parameter that is given twice says nothing. */
export function rangeParams(params: Readonly<Record<string, string | string[] | undefined>>): RangeParams {
  const text = (value: string | string[] | undefined) => (typeof value === "string" ? value : undefined);
  return { range: text(params.range), from: text(params.from), to: text(params.to) };
}

/** No chart is shorter: the keeper reads every 5 s. */
const LENGTH_MIN_MS = 60_000;
const LENGTH_MAX_MS = SPANS["30d"];
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/;

/** Reads it from an address. What is no range is the last hour, and nothing is longer than 30 days. */
export function readChartRange({ range, from, to }: RangeParams): ChartRange {
  const [fromMs, toMs] = [from, to].map((text) => (text && INSTANT.test(text) ? Date.parse(text) : Number.NaN));
  if (fromMs !== undefined && toMs !== undefined && toMs - fromMs >= LENGTH_MIN_MS)
    return { kind: "between", fromMs: Math.max(fromMs, toMs - LENGTH_MAX_MS), toMs };
  return { kind: "last", span: range && Object.hasOwn(SPANS, range) ? (range as Span) : DEFAULT_SPAN };
}

/** Writes it for an address, on whole seconds; the default is left out. */
export function writeChartRange(range: ChartRange): RangeParams {
  if (range.kind === "last") return range.span === DEFAULT_SPAN ? {} : { range: range.span };
  return { from: instant(range.fromMs), to: instant(range.toMs) };
}

const instant = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A stretch that was drawn with the pointer, not shorter than a chart may be. */
export function drawnRange(aMs: number, bMs: number): ChartRange {
  const second = (ms: number) => Math.floor(ms / 1_000) * 1_000;
  const fromMs = second(Math.min(aMs, bMs));
  return { kind: "between", fromMs, toMs: Math.max(second(Math.max(aMs, bMs)), fromMs + LENGTH_MIN_MS) };
}
