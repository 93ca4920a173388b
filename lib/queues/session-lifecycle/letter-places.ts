import type { Redis } from "ioredis";

/** Places that are remembered; then all are forgotten, as they cost only a search. */
const PLACES_MAX = 200_000;

const known = new WeakMap<Redis, Map<string, number>>();

/** Where letters were seen, by id: no list has an index. A place is a hint: what is removed below it moves it down. */
export function placesOf(redis: Redis): { find(id: string): number | null; note(id: string, place: number): void } {
  let places = known.get(redis);
  if (places === undefined) {
    places = new Map();
    known.set(redis, places);
  }
  const all = places;
  return {
    find: (id) => all.get(id) ?? null,
    note(id, place) {
      if (all.size >= PLACES_MAX) all.clear();
      all.set(id, place);
    },
  };
}
