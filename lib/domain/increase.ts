/**
 * How much a counter has grown over its readings, oldest first; null where two of them were not told. A counter that
 * is lower than before began anew with its process: all that it says has come since.
 */
export function increaseOf(readings: readonly (number | null)[]): number | null {
  const told = readings.filter((reading) => reading !== null);
  if (told.length < 2) return null;
  return told
    .slice(1)
    .reduce((sum, now, index) => sum + (now >= (told[index] ?? 0) ? now - (told[index] ?? 0) : now), 0);
}

/** The same for each reason of a counter; a reason that was not named before was 0. */
export function increasesOf(readings: readonly (Record<string, number> | null)[]): Record<string, number> | null {
  const told = readings.filter((reading) => reading !== null);
  if (told.length < 2) return null;
  const reasons = [...new Set(told.flatMap((each) => Object.keys(each)))].sort();
  return Object.fromEntries(reasons.map((reason) => [reason, increaseOf(told.map((each) => each[reason] ?? 0)) ?? 0]));
}
