import type { Redis } from "ioredis";
import type { ArchivePlace } from "@/lib/queues/queue";
import { letterIdOf, letterKeyOf } from "./envelope/letter";
import { JOURNAL_KEYS } from "./keys";
import { placesOf } from "./letter-places";
import { nextSize, readPlaces } from "./walk-list";

const KEY = JOURNAL_KEYS.deadLetter;
const FIRST = 50;
/** How far below the place where a letter was seen it is looked for: so many were removed since. */
const NEAR = 500;

/** As Postgres writes an instant, too: `2026-11-30 03:12:06.123+00`, `-infinity`. */
export function placeMs(diedAt: string): number {
  const ms = Date.parse(diedAt.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms;
}

/**
 * The first place behind a letter that the archive knows: where it was seen, else where the newest end of the list meets
 * it, or what died before it. The list is in the order of death: what comes is put in at one end.
 */
export async function placeBehind(redis: Redis, { letterId, diedAt }: ArchivePlace): Promise<number> {
  const hint = placesOf(redis).find(letterId);
  if (hint !== null) {
    const from = Math.max(0, hint - NEAR);
    const ids = (await readPlaces(redis, KEY, hint, 1)).map(letterIdOf);
    if (ids[0] === letterId) return hint + 1;
    const below = (await readPlaces(redis, KEY, from, hint - from)).map(letterIdOf).lastIndexOf(letterId);
    if (below >= 0) return from + below + 1;
  }
  return meetFromHead(redis, letterId, placeMs(diedAt));
}

async function meetFromHead(redis: Redis, letterId: string, diedMs: number): Promise<number> {
  const length = await redis.llen(KEY);
  for (let read = 0, size = FIRST; read < length; ) {
    const window = await redis.lrangeBuffer(KEY, read, read + size - 1);
    for (const [n, bytes] of window.entries()) {
      const letter = letterKeyOf(bytes);
      const before = letter.diedMs !== null && letter.diedMs < diedMs;
      // What was put in while this was read makes the place too low: letters are then listed twice, and none is missed.
      if (letter.id === letterId || before) return Math.max(0, length - read - n);
    }
    if (window.length < size) break;
    read += window.length;
    size = nextSize(
      window.map((bytes) => ({ place: 0, bytes })),
      size,
    );
  }
  return 0;
}
