const MINUTES = 5;

/** The mean of the last 5 whole minutes; the newest of `minutes` has only begun and does not count. */
export function perMinute(minutes: readonly number[]): number {
  const whole = minutes.slice(0, -1).slice(-MINUTES);
  return whole.length === 0 ? 0 : whole.reduce((sum, count) => sum + count, 0) / whole.length;
}

/** `0`, `0.4`, `12`, `1,284`: one place below ten, where it tells something. */
export function rateText(rate: number): string {
  if (rate >= 10) return Math.round(rate).toLocaleString("en-US");
  return String(Number(rate.toFixed(1)));
}
