/** One measured figure. `goal` is a sentence; `met` null: it is only reported. */
export type Figure = { name: string; value: number; unit: string; goal: string; met: boolean | null; note?: string };

/** A figure that must not be above `most`. */
export function atMost(name: string, value: number, unit: string, most: number, note?: string): Figure {
  return { name, value, unit, goal: `≤ ${most} ${unit}`, met: value <= most, ...(note ? { note } : {}) };
}

/** A figure that must not be below `least`. */
export function atLeast(name: string, value: number, unit: string, least: number, note?: string): Figure {
  return { name, value, unit, goal: `≥ ${least} ${unit}`, met: value >= least, ...(note ? { note } : {}) };
}
