import { type Letter, readLetter } from "@/lib/engine/durable/redis-work-queue/envelope/letter";
import type { AnyQueue } from "@/lib/engine/durable/redis-work-queue/queue";

/** A letter and its place, counted from the tail from 0: good while nothing nearer to the tail is removed. */
export type FoundLetter = { letter: Letter; bytes: Buffer; place: number };

/** Letters of one window, and of those how many are read again with the next. */
const WINDOW = 500;
const OVERLAP = 100;
const TRIES = 5;

/**
 * Finds letters by their ids, from the tail on, until all are found. Places at the tail stand still while letters are put
 * in; what is removed meanwhile moves the rest towards the tail, where it would be passed by unseen. So windows overlap,
 * and each is laid against the one before; where they do not meet, the search begins anew. Throws after five times.
 */
export async function findLetters(queue: AnyQueue, ids: readonly string[]): Promise<Map<string, FoundLetter>> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await searchOnce(queue, new Set(ids));
    if (found !== null) return found;
  }
  throw new Error(`the dead letters changed too fast to be searched, ${TRIES} times`);
}

async function searchOnce({ redis, keys }: AnyQueue, ids: ReadonlySet<string>) {
  const found = new Map<string, FoundLetter>();
  /** The last letters of the window before, in its order. */
  let before: Buffer[] = [];
  for (let next = 0; found.size < ids.size; ) {
    const from = next - before.length;
    const window = (await redis.lrangeBuffer(keys.deadLetter, -(from + WINDOW), -(from + 1))).reverse();
    const met = before.length === 0 ? 0 : meet(before, window);
    if (met === null) return null;
    for (const [n, bytes] of window.entries()) {
      if (n < met) continue;
      const id = quickId(bytes);
      const letter = id === null || ids.has(id) ? readLetter(bytes) : null;
      // Of twins the one nearest to the tail.
      if (letter && ids.has(letter.deadLetterId) && !found.has(letter.deadLetterId)) {
        found.set(letter.deadLetterId, { letter, bytes, place: from + n });
      }
    }
    if (window.length < WINDOW) break;
    next = from + window.length;
    before = window.slice(-OVERLAP);
  }
  return found;
}

/** Behind how many of a window's letters the unseen ones begin; null: too much was removed to tell. */
function meet(before: readonly Buffer[], window: readonly Buffer[]): number | null {
  for (let gone = 0; gone < before.length; gone += 1) {
    const rest = before.slice(gone);
    if (rest.every((bytes, n) => window[n]?.equals(bytes))) return rest.length;
  }
  return null;
}

const HEAD = Buffer.from('{"dead_letter_id":"');
const UUID_LENGTH = 36;

/** The id of a letter that begins as ours do; null: it must be read. */
function quickId(bytes: Buffer): string | null {
  const end = HEAD.length + UUID_LENGTH;
  if (bytes.length <= end || bytes[end] !== 0x22 || bytes.compare(HEAD, 0, HEAD.length, 0, HEAD.length) !== 0)
    return null;
  const id = bytes.toString("latin1", HEAD.length, end);
  return id.includes("\\") || id.includes('"') ? null : id;
}
