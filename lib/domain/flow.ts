import type { FlowMinute } from "./recent";

/** What came into a queue and what left it in one minute, rows; null: not told. */
export type InOut = { into: number | null; out: number | null };

/**
 * In and out of each minute but the first. Out is what was settled for good, done or dead; in is out and what the rows
 * grew by. The rows are read up to 5 s before a minute ends, so an in below zero is a zero.
 */
export function inOut(flow: readonly FlowMinute[]): InOut[] {
  return flow.slice(1).map(({ rows, done, died }, index) => {
    const before = flow[index]?.rows ?? null;
    const out = done === null ? null : done + (died ?? 0);
    const into = out === null || rows === null || before === null ? null : Math.max(0, out + rows - before);
    return { into, out };
  });
}

const MINUTES = 5;

/** Mean of the last 5 minutes that were told, per second; null: none was. */
export function perSecond(values: readonly (number | null)[]): number | null {
  const told = values.slice(-MINUTES).filter((value) => value !== null);
  return told.length === 0 ? null : told.reduce((sum, value) => sum + value, 0) / told.length / 60;
}
