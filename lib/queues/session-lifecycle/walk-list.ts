import type { Redis } from "ioredis";

/** What stands in a list; `place` counts from the tail, from 0: it stands still while others are put in at the head. */
export type Placed = { place: number; bytes: Buffer };

/** Elements of the first window; the next ones are as many as make `WINDOW_BYTES`, by what the last came to. */
const FIRST = 8;
const WINDOW_MAX = 500;
const WINDOW_BYTES = 2 * 1024 * 1024;
/** Elements that are read again with the next window. */
const OVERLAP = 4;

/** What was removed meanwhile moved the rest towards the tail: what was passed by unseen cannot be told any more. */
export class ListMoved extends Error {}

/**
 * A list from a place on, from the tail towards the head, in windows. Windows overlap, and each is laid against the one
 * before, so that nothing is passed by unseen. Throws `ListMoved` where they do not meet.
 */
export async function* walkList(redis: Redis, key: string, from = 0): AsyncGenerator<Placed[]> {
  let before: Buffer[] = [];
  let size = FIRST;
  for (let next = from; ; ) {
    const first = next - before.length;
    const window = await readPlaces(redis, key, first, before.length + size);
    const met = meet(before, window);
    if (met === null) throw new ListMoved("the list was changed while it was read");
    const seen = window.slice(met).map((bytes, n) => ({ place: first + met + n, bytes }));
    if (seen.length > 0) yield seen;
    if (window.length < before.length + size) return;
    next = first + window.length;
    before = window.slice(-OVERLAP);
    size = nextSize(seen, size);
  }
}

/** At most `max` elements from a place on, what is nearest to the tail first. */
export async function readPlaces(redis: Redis, key: string, from: number, max: number): Promise<Buffer[]> {
  return (await redis.lrangeBuffer(key, -(from + max), -(from + 1))).reverse();
}

/** As many as fit into the bytes of a window, and not all at once: the next may be longer. */
export function nextSize(seen: readonly Placed[], size: number): number {
  const bytes = seen.reduce((sum, each) => sum + each.bytes.length, 0);
  const fit = Math.floor(WINDOW_BYTES / Math.max(1, bytes / Math.max(1, seen.length)));
  return Math.max(1, Math.min(WINDOW_MAX, size * 4, fit));
}

/** Behind how many of a window's elements the unseen ones begin; null: too much was removed to tell. */
function meet(before: readonly Buffer[], window: readonly Buffer[]): number | null {
  if (before.length === 0) return 0;
  for (let gone = 0; gone < before.length; gone += 1) {
    const rest = before.slice(gone);
    if (rest.every((bytes, n) => window[n]?.equals(bytes))) return rest.length;
  }
  return null;
}
