/** A stream of pseudo-random numbers; the same seed gives the same stream. */
export type Random = {
  /** 0 ≤ n < 1 */
  next(): number;
  /** Whole, both ends included. */
  int(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  chance(of: number): boolean;
  /** A stream of its own: what one part draws does not move another's. */
  fork(): Random;
};

/** mulberry32: small, and good enough to choose moments. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    pick<T>(items: readonly T[]): T {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    chance: (of) => next() < of,
    fork: () => createRandom(int(0, 2 ** 31)),
  };
}
