/** A stretch of bins: from the start of `first` to the end of `last`, both in it. */
export type BinRange = { first: number; last: number };

const between = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** The stretch between two bins, in whichever order they were pointed at. */
export function stretchOf(a: number, b: number, count: number): BinRange {
  return { first: between(Math.min(a, b), 0, count - 1), last: between(Math.max(a, b), 0, count - 1) };
}

/** The stretch with one of its ends moved by some bins; it keeps at least one bin. */
export function moved({ first, last }: BinRange, end: "first" | "last", by: number, count: number): BinRange {
  return end === "first"
    ? { first: between(first + by, 0, last), last }
    : { first, last: between(last + by, first, count - 1) };
}

/** How far an arrow key moves an end; 0: it is another key. */
export function arrowStep(key: string, shift: boolean): number {
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key] ?? 0;
  return shift ? by * 5 : by;
}
