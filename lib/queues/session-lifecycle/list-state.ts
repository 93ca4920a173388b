import type { Redis } from "ioredis";
import type { ListState, Runtime } from "@/lib/domain/list-state";
import type { Reading } from "@/lib/domain/queue";
import { failedReading } from "@/lib/queues/failed-reading";
import { readTime, wrongTypeIs } from "./clock";
import { lengthOf, oldestMs } from "./depths";
import { JOURNAL_KEYS } from "./keys";
import { listedEntry } from "./listed";
import { readStoreState } from "./store-state";
import { readPlaces } from "./walk-list";

const RUNTIMES_MAX = 50;
/** Of what a runtime holds so much is shown; all of it has a window of its own. */
const HELD_SHOWN = 5;

/** The lists as they are, who holds what, and Redis's own state. Never throws. */
export async function readListState(redis: Redis): Promise<Reading<ListState>> {
  try {
    return { kind: "read", value: await read(redis) };
  } catch (error) {
    return failedReading(error, "Redis");
  }
}

async function read(redis: Redis): Promise<ListState> {
  const beats = await redis.hgetall(JOURNAL_KEYS.runtimes).catch(wrongTypeIs<Record<string, string>>({}));
  const names = Object.keys(beats).toSorted();
  const shown = names.slice(0, RUNTIMES_MAX);
  const [atMs, pending, retrying, plainProcessing, dead_letter, oldest, plain, store, ...runtimes] = await Promise.all([
    readTime(redis),
    lengthOf(redis, JOURNAL_KEYS.pending),
    lengthOf(redis, JOURNAL_KEYS.retrying),
    lengthOf(redis, JOURNAL_KEYS.processing),
    lengthOf(redis, JOURNAL_KEYS.deadLetter),
    Promise.all([oldestMs(redis, JOURNAL_KEYS.pending), oldestMs(redis, JOURNAL_KEYS.retrying)]),
    heldIn(redis, JOURNAL_KEYS.processing),
    readStoreState(redis),
    ...shown.map((name) => readRuntime(redis, name, beats[name] ?? "")),
  ]);
  return {
    atMs,
    counts: { pending, retrying, plainProcessing, dead_letter },
    oldestMs: { pending: oldest[0], retrying: oldest[1] },
    runtimes,
    moreRuntimes: names.length > shown.length,
    plain,
    store,
  };
}

async function readRuntime(redis: Redis, name: string, beat: string): Promise<Runtime> {
  const key = JOURNAL_KEYS.processingOf(name);
  const [held, entries] = await Promise.all([lengthOf(redis, key), heldIn(redis, key)]);
  return { name, beatMs: /^\d{1,15}$/.test(beat) ? Number(beat) : null, held, entries };
}

async function heldIn(redis: Redis, key: string) {
  const found = await readPlaces(redis, key, 0, HELD_SHOWN).catch(wrongTypeIs<Buffer[]>([]));
  return found.map((bytes, place) => listedEntry({ bytes, place }));
}
