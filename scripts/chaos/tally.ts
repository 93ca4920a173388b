import type { Violation } from "@/lib/engine/testing/conservation";

/** What a run has counted. Printed as its table. */
export type Tally = {
  counts: Map<string, number>;
  violations: Violation[];
};

export const newTally = (): Tally => ({ counts: new Map(), violations: [] });

export function count(tally: Tally, name: string, by = 1): void {
  tally.counts.set(name, (tally.counts.get(name) ?? 0) + by);
}

export function most(tally: Tally, name: string, value: number): void {
  tally.counts.set(name, Math.max(tally.counts.get(name) ?? 0, value));
}

/** Something is wrong: it is told at once, where the log says what happened around it, and once more at the end. */
export function violated(tally: Tally, violation: Violation): void {
  tally.violations.push(violation);
  console.log(`VIOLATION ${violation}`);
}

/** The summary, and the last line of it. */
export function printTally({ counts, violations }: Tally): void {
  const width = Math.max(...[...counts.keys()].map((name) => name.length), 0);
  console.log("");
  for (const [name, value] of counts) console.log(`${name.padEnd(width)}  ${String(value).padStart(8)}`);
  for (const violation of violations) console.log(`VIOLATION ${violation}`);
  console.log(`${violations.length} violations`);
}
