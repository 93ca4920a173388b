import type { Redis } from "ioredis";
import { NotReadable } from "@/lib/queues/failed-reading";
import { letterIdOf } from "./envelope/letter";
import { JOURNAL_KEYS } from "./keys";
import { placesOf } from "./letter-places";
import { ListMoved, type Placed, readPlaces, walkList } from "./walk-list";

const KEY = JOURNAL_KEYS.deadLetter;

/** A search that would read more than this is given up, and says so. Bytes. */
const SEARCH_BYTES_MAX = 512 * 1024 * 1024;
const TRIES = 5;
/** Places that are read at a time where letters are known to be. */
const RUN_MAX = 50;
/** How far below its place a letter is looked for first: so many were removed since. */
const NEAR = 200;

/** Letters by id, where they are in the list now; one that is not named is not in it. Throws when that cannot be told. */
export async function findLetters(redis: Redis, ids: readonly string[]): Promise<Map<string, Placed>> {
  const wanted = new Set(ids);
  const found = await findAtPlaces(redis, wanted);
  const rest = new Set([...wanted].filter((id) => !found.has(id)));
  if (rest.size === 0) return found;
  for (const [id, placed] of await search(redis, rest)) found.set(id, placed);
  return found;
}

/** Those that still are where they were seen, or a little below. */
async function findAtPlaces(redis: Redis, ids: ReadonlySet<string>): Promise<Map<string, Placed>> {
  const places = placesOf(redis);
  const found = new Map<string, Placed>();
  const hints = [...ids].flatMap((id) => places.find(id) ?? []).toSorted((a, b) => a - b);
  for (const { from, size } of runsOf(hints)) keepWanted(await readPlaces(redis, KEY, from, size), from, ids, found);
  const [only] = ids.size === 1 ? hints : [];
  if (only !== undefined && found.size === 0) {
    const from = Math.max(0, only - NEAR);
    keepWanted(await readPlaces(redis, KEY, from, only - from), from, ids, found);
  }
  return found;
}

/** Places that follow each other are read together. */
function runsOf(places: readonly number[]): { from: number; size: number }[] {
  const runs: { from: number; size: number }[] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last && place < last.from + last.size) continue;
    if (last && place === last.from + last.size && last.size < RUN_MAX) last.size += 1;
    else runs.push({ from: place, size: 1 });
  }
  return runs;
}

function keepWanted(window: readonly Buffer[], from: number, ids: ReadonlySet<string>, found: Map<string, Placed>) {
  for (const [n, bytes] of window.entries()) {
    const id = letterIdOf(bytes);
    if (ids.has(id) && !found.has(id)) found.set(id, { place: from + n, bytes });
  }
}

async function search(redis: Redis, ids: ReadonlySet<string>): Promise<Map<string, Placed>> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await searchOnce(redis, ids).catch((error: unknown) => {
      if (error instanceof ListMoved) return null;
      throw error;
    });
    if (found !== null) return found;
  }
  throw new NotReadable("The list of dead letters changed too fast to be searched.");
}

/** Of twins the one nearest to the tail. */
async function searchOnce(redis: Redis, ids: ReadonlySet<string>): Promise<Map<string, Placed>> {
  const places = placesOf(redis);
  const found = new Map<string, Placed>();
  let bytes = 0;
  for await (const window of walkList(redis, KEY)) {
    for (const placed of window) {
      const id = letterIdOf(placed.bytes);
      places.note(id, placed.place);
      bytes += placed.bytes.length;
      if (ids.has(id) && !found.has(id)) found.set(id, placed);
    }
    if (found.size === ids.size) break;
    if (bytes > SEARCH_BYTES_MAX) {
      throw new NotReadable("The list of dead letters is too long to be searched for one of them.");
    }
  }
  return found;
}
