/** Half of the values are not above it. */
export const median = (values: readonly number[]): number => percentile(values, 50);

/** `percent` of the values are not above it. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new Error("no values");
  return value;
}

/** Ratios of two series that were measured in turn, round by round. */
export const ratios = (values: readonly number[], bare: readonly number[]): number[] =>
  values.map((value, round) => value / (bare[round] ?? Number.NaN));

/** To `digits` places: a figure does not say more than it knows. */
export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** How long something takes, ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}
