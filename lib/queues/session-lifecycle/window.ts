import type { Redis } from "ioredis";
import type { ListName, ListWindow } from "@/lib/domain/list-state";
import type { ListAsk } from "@/lib/queues/queue";
import { readTime } from "./clock";
import { JOURNAL_KEYS } from "./keys";
import { listedEntry, listedLetter } from "./listed";
import { nextSize, type Placed, readPlaces } from "./walk-list";

/** No more is read once so many bytes were: the rest is another window's. */
const BYTES_MAX = 16 * 1024 * 1024;
const FIRST = 8;

const KEYS: Record<Exclude<ListName, "processing">, string> = {
  pending: JOURNAL_KEYS.pending,
  retrying: JOURNAL_KEYS.retrying,
  dead_letter: JOURNAL_KEYS.deadLetter,
};

export const keyOf = ({ list, runtime }: Pick<ListAsk, "list" | "runtime">): string =>
  list !== "processing" ? KEYS[list] : runtime === null ? JOURNAL_KEYS.processing : JOURNAL_KEYS.processingOf(runtime);

/** A window of one list. An element that alone is larger than a window is shown all the same. */
export async function readWindow(redis: Redis, ask: ListAsk): Promise<ListWindow> {
  const key = keyOf(ask);
  const [length, atMs] = await Promise.all([redis.llen(key), readTime(redis)]);
  const from = ask.at ?? Math.max(0, length - ask.limit);
  const placed = await readSome(redis, key, from, ask.limit);
  const entries = placed.map(ask.list === "dead_letter" ? listedLetter : listedEntry);
  return { atMs, length, entries, cut: placed.length < Math.min(ask.limit, length - from) };
}

async function readSome(redis: Redis, key: string, from: number, limit: number): Promise<Placed[]> {
  const placed: Placed[] = [];
  let bytes = 0;
  for (let size = FIRST; placed.length < limit && bytes < BYTES_MAX; ) {
    const first = from + placed.length;
    const window = await readPlaces(redis, key, first, Math.min(size, limit - placed.length));
    const seen = window.map((each, n) => ({ place: first + n, bytes: each }));
    placed.push(...seen);
    bytes += seen.reduce((sum, each) => sum + each.bytes.length, 0);
    if (window.length === 0) break;
    size = nextSize(seen, size);
  }
  return placed;
}
