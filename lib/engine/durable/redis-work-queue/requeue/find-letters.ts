import { z } from "zod";
import { type Letter, readLetter } from "@/lib/engine/durable/redis-work-queue/envelope/letter";
import { FIND as LUA } from "@/lib/engine/durable/redis-work-queue/lua/find";
import type { AnyQueue } from "@/lib/engine/durable/redis-work-queue/queue";
import { Bytes, runScript, script, Text, word } from "@/lib/engine/durable/redis-work-queue/script";

const FIND = script(LUA);
const Answer = z.tuple([word("more", "end"), z.array(Text), z.array(z.number()), z.array(Bytes)]);

/** A letter and its place, counted from the tail from 0: good while nothing nearer to the tail is removed. */
export type FoundLetter = { letter: Letter; bytes: Buffer; place: number };

/** Letters and bytes of one window, and of the letters how many are looked at again with the next. */
const WINDOW = 250;
const WINDOW_BYTES = 4 * 1024 * 1024;
const OVERLAP = 50;
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
  /** The names of the last letters of the window before, in its order. */
  let before: string[] = [];
  for (let next = 0; found.size < ids.size; ) {
    const from = next - before.length;
    const left = [...ids].filter((id) => !found.has(id));
    const args = [from, WINDOW, WINDOW_BYTES, before.length, ...left];
    const [ended, names, places, hits] = await runScript(redis, FIND, [keys.deadLetter], args, Answer);
    const met = before.length === 0 ? 0 : meet(before, names);
    if (met === null) return null;
    for (const [n, bytes] of hits.entries()) {
      const place = places[n] ?? 0;
      const letter = place < met ? null : readLetter(bytes);
      // Of twins the one nearest to the tail.
      if (letter && ids.has(letter.deadLetterId) && !found.has(letter.deadLetterId)) {
        found.set(letter.deadLetterId, { letter, bytes, place: from + place });
      }
    }
    if (ended === "end") break;
    next = from + names.length;
    // A window of few long letters overlaps with few.
    before = names.slice(-Math.min(OVERLAP, Math.ceil(names.length / 5)));
  }
  return found;
}

/** Behind how many of a window's letters the unseen ones begin; null: too much was removed to tell. */
function meet(before: readonly string[], window: readonly string[]): number | null {
  for (let gone = 0; gone < before.length; gone += 1) {
    const rest = before.slice(gone);
    if (rest.every((name, n) => window[n] === name)) return rest.length;
  }
  return null;
}
