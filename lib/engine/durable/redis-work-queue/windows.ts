import { type Entry, readEntry } from "./envelope/entry";
import { type Letter, readLetter } from "./envelope/letter";
import type { AnyQueue } from "./queue";

export type WindowAsk = {
  /** Places to pass by, from that end. */
  skip?: number;
  /** At most so many, and at most some 500. */
  max: number;
  /** `oldest`: the next to be taken first, whose places stand still while others are put in; `newest`: the other end. */
  first: "oldest" | "newest";
  /** No more are read once those that were make so many bytes. */
  bytesMax?: number;
};

/** One element. `place` counts from the end that was asked for, from 0. */
export type Seen<V> = { place: number; bytes: Buffer; value: V | null };

const CHUNK = 50;
const BYTES_MAX = 16 * 1024 * 1024;

/** A window of a list of entries. `value` null: not an entry. Throws WRONGTYPE where the key is no list. */
export const readEntries = (queue: AnyQueue, key: string, ask: WindowAsk): Promise<Seen<Entry>[]> =>
  readWindow(queue, key, ask, readEntry);

/** A window of the dead letters. `value` null: not a letter. */
export const readLetters = (queue: AnyQueue, ask: WindowAsk): Promise<Seen<Letter>[]> =>
  readWindow(queue, queue.keys.deadLetter, ask, readLetter);

async function readWindow<V>(
  { redis }: AnyQueue,
  key: string,
  { skip = 0, max, first, bytesMax = BYTES_MAX }: WindowAsk,
  read: (bytes: Buffer) => V | null,
): Promise<Seen<V>[]> {
  const seen: Seen<V>[] = [];
  // In chunks, since nothing tells how long an element is before it is there.
  for (let bytes = 0; seen.length < max && bytes <= bytesMax; ) {
    const [from, to] = [skip + seen.length, skip + Math.min(max, seen.length + CHUNK) - 1];
    const chunk =
      first === "newest"
        ? await redis.lrangeBuffer(key, from, to)
        : (await redis.lrangeBuffer(key, -to - 1, -from - 1)).reverse();
    for (const [n, each] of chunk.entries()) {
      seen.push({ place: from + n, bytes: each, value: read(each) });
      bytes += each.length;
    }
    if (chunk.length < to - from + 1) break;
  }
  return seen;
}
