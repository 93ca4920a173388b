import type { Redis } from "ioredis";
import { NotReadable } from "@/lib/queues/failed-reading";
import { letterIdOf, sha1 } from "./envelope/letter";
import { JOURNAL_KEYS } from "./keys";
import { placesOf } from "./letter-places";
import { ListMoved, walkList } from "./walk-list";

const KEY = JOURNAL_KEYS.deadLetter;

/** The whole list is read again no sooner than this: it may be long, and letters come and go all the time. */
const WALK_EVERY_MS = 5_000;
/** Letters that came since are looked for among so many of the newest. */
const NEW_MAX = 1_000;
/** Ids of a longer list are not held: of its letters nobody can say that they have left it. */
const IDS_MAX = 300_000;

type Ends = { length: number; newest: string; oldest: string };
type Known = { ends: Ends; ids: Set<string>; walkedPerf: number };

const known = new WeakMap<Redis, Known>();

/**
 * Ids of all that stand in the list of dead letters; null: that cannot be told just now. Put in at one end alone, so a
 * list whose ends fit to its length has lost nothing: it is read to its end only when something was taken out.
 */
export async function readPresent(redis: Redis): Promise<ReadonlySet<string> | null> {
  const ends = await readEnds(redis);
  const before = known.get(redis);
  if (before && (await isGrown(redis, before, ends))) {
    before.ends = ends;
    return before.ids;
  }
  if (before && performance.now() - before.walkedPerf < WALK_EVERY_MS) return null;
  const ids = await walk(redis).catch((error: unknown) => {
    if (error instanceof ListMoved || error instanceof NotReadable) return null;
    throw error;
  });
  // What came or went while it was read is told by the next look.
  if (ids) known.set(redis, { ends, ids, walkedPerf: performance.now() });
  return ids;
}

async function readEnds(redis: Redis): Promise<Ends> {
  const [length, newest, oldest] = await Promise.all([
    redis.llen(KEY),
    redis.lindexBuffer(KEY, 0),
    redis.lindexBuffer(KEY, -1),
  ]);
  return { length, newest: newest ? sha1(newest) : "", oldest: oldest ? sha1(oldest) : "" };
}

/** Whether nothing was taken out; then `ids` is told what was put in. */
async function isGrown(redis: Redis, { ends, ids }: Known, now: Ends): Promise<boolean> {
  if (ends.length === 0) return now.length === 0;
  if (now.oldest !== ends.oldest) return false;
  const came = now.length - ends.length;
  if (came === 0) return now.newest === ends.newest;
  if (came < 0 || came > NEW_MAX) return false;
  const newest = await redis.lrangeBuffer(KEY, 0, came);
  const last = newest.at(-1);
  if (newest.length !== came + 1 || last === undefined || sha1(last) !== ends.newest) return false;
  for (const bytes of newest.slice(0, -1)) ids.add(letterIdOf(bytes));
  return sha1(newest[0] as Buffer) === now.newest;
}

async function walk(redis: Redis): Promise<Set<string>> {
  const places = placesOf(redis);
  const ids = new Set<string>();
  for await (const window of walkList(redis, KEY)) {
    for (const { bytes, place } of window) {
      const id = letterIdOf(bytes);
      ids.add(id);
      places.note(id, place);
    }
    if (ids.size > IDS_MAX) throw new NotReadable("The list of dead letters is too long to be read to its end.");
  }
  return ids;
}
