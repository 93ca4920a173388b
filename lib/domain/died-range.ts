/** When letters died, as an address says it: `24h` (so long before now) or `A..B`, two instants, the second not in it. */
export type DiedRange = { kind: "last"; text: string; ms: number } | { kind: "between"; fromMs: number; toMs: number };

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const LAST = /^([1-9]\d{0,3})([mhd])$/;
/** Years that a store's clock may show. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1970, 0, 1), Date.UTC(10_000, 0, 1)];
const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z?)?$/;

/** Reads such a text; null: it is none. */
export function readDied(text: string): DiedRange | null {
  const last = LAST.exec(text);
  if (last) return { kind: "last", text, ms: Number(last[1]) * (UNIT_MS[last[2] ?? ""] ?? 0) };
  const [fromMs = null, toMs = null, more] = text.split("..").map(instantOf);
  if (fromMs === null || toMs === null || more !== undefined || toMs <= fromMs) return null;
  return { kind: "between", fromMs, toMs };
}

function instantOf(text: string): number | null {
  if (!INSTANT.test(text)) return null;
  const zoned = text.length > 10 && !text.endsWith("Z") ? `${text}Z` : text;
  const ms = Date.parse(zoned);
  return ms >= FIRST_MS && ms < LAST_MS ? ms : null;
}

/** `2026-11-14T02:58:00Z..2026-11-14T03:41:00Z`, as exact as it must be. */
export function writeDied(fromMs: number, toMs: number): string {
  const written = (ms: number) => new Date(Math.round(ms)).toISOString().replace(/\.000Z$/, "Z");
  return `${written(fromMs)}..${written(toMs)}`;
}
