import type { Redis } from "ioredis";
import type { ArchiveKey, ArchiveReader, Sources, StoredLetter } from "@/lib/queues/queue";
import { letterToKeep } from "./archive-letter";
import { placeBehind } from "./archive-place";
import { readStoredStates } from "./archive-states";
import { readTime } from "./clock";
import { letterKeyOf, readLetter } from "./envelope/letter";
import { findLetters } from "./find-letters";
import { JOURNAL_KEYS } from "./keys";
import { placesOf } from "./letter-places";
import { ListMoved, walkList } from "./walk-list";

const KEY = JOURNAL_KEYS.deadLetter;

/**
 * What the archive reads of the list of dead letters. It has no index: the order of death is that of the list, whose
 * places, counted from the tail, stand still while letters are put in. Letters leave it when they are requeued, so all that
 * are in it are dead, and none is too old to be listed.
 */
export function archiveReader(redis: Redis, hashToken: Sources["hashToken"]): ArchiveReader {
  return {
    async listAfter(place, { limit }) {
      const from = place === null ? 0 : await placeBehind(redis, place);
      const keys = await keysFrom(redis, from, limit, place?.diedAt ?? null);
      // A script is done before the next begins: nothing can come in behind what is there.
      return { keys, settled: keys.at(-1) ?? null };
    },
    async listById(after, { limit }) {
      const from = after === null ? 0 : Number(/^\d{1,9}/.exec(after)?.[0] ?? 0);
      const keys = await keysFrom(redis, from, limit, null);
      // A round begins anew at the end: what was removed below a place may have moved some past it.
      return { keys, next: keys.length < limit ? null : String(from + limit) };
    },
    async findKeys(letterIds) {
      const found = await findLetters(redis, letterIds);
      const nowMs = await readTime(redis);
      return [...found.values()].map(({ bytes }) => keyOf(bytes, new Date(nowMs).toISOString()));
    },
    async readLetters(letterIds) {
      const found = await findLetters(redis, letterIds);
      const now = new Date(await readTime(redis)).toISOString();
      return [...found.values()].map(({ bytes }): StoredLetter => {
        const letter = readLetter(bytes);
        return letterToKeep(letter, diedAtOf(letter.diedMs, now), hashToken);
      });
    },
    readStates: (letters) => readStoredStates(redis, letters),
  };
}

async function keysFrom(redis: Redis, from: number, limit: number, earliest: string | null): Promise<ArchiveKey[]> {
  const places = placesOf(redis);
  const keys: ArchiveKey[] = [];
  let before = earliest ?? new Date(await readTime(redis)).toISOString();
  try {
    for await (const window of walkList(redis, KEY, from)) {
      for (const { bytes, place } of window) {
        const key = keyOf(bytes, before);
        places.note(key.letterId, place);
        keys.push(key);
        before = key.diedAt;
        if (keys.length === limit) return keys;
      }
    }
  } catch (error) {
    // What was read up to here is right; the next look goes on behind it.
    if (!(error instanceof ListMoved)) throw error;
  }
  return keys;
}

function keyOf(bytes: Buffer, otherwise: string): ArchiveKey {
  const { id, diedMs } = letterKeyOf(bytes);
  return { letterId: id, diedAt: diedAtOf(diedMs, otherwise), generation: 1, bytes: bytes.length };
}

/** What does not tell when it died is taken to have died with the one before it. */
const diedAtOf = (diedMs: number | null, otherwise: string) =>
  diedMs === null ? otherwise : new Date(diedMs).toISOString();
