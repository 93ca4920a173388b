/** Sequences that failed once, by the seed and the path that fast-check printed. */
export type Regression = { what: string; seed: number; path: string; commands: number };

export const REGRESSIONS: Regression[] = [];
