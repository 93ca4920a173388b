import type { Pool } from "pg";
import { findKeptLetter, type KeptLetter } from "@/lib/console/archive/find-letter";
import { readKeptLives } from "@/lib/console/archive/kept-lives";
import { type LetterOperation, listOperationsOf } from "@/lib/console/requeue/view";
import { queueNamed } from "@/lib/console/sources";
import { pools } from "@/lib/db/pools";
import type { Letter } from "@/lib/domain/dead-letter";
import type { Preflight } from "@/lib/domain/preflight";
import type { Reading } from "@/lib/domain/queue";
import { STORE_NAMES } from "@/lib/domain/shape-words";
import { failedReading } from "@/lib/queues/failed-reading";
import type { Queue } from "@/lib/queues/queue";
import { letterOfArchive } from "./letter-of-archive";

/** Everything that a letter's page shows. Only the letter itself must be readable; the rest fails by itself. */
export type LetterPage = {
  letter: Letter & { atMs: number };
  /** Where the letter was read: `gone`, `unread`: from the archive, as its store has it no more, or does not answer. */
  from: { kind: "store" } | { kind: "gone" } | { kind: "unread"; sentence: string; code: string };
  /** What the archive says of it; null: it is not kept yet. */
  kept: Reading<KeptLetter | null>;
  /** Null: the letter is not dead any more, so nothing can be requeued. */
  preflight: Reading<Preflight> | null;
  operations: Reading<LetterOperation[]>;
};

/**
 * One letter of one queue with its preflight and what was tried with it; null when there is no such letter. Throws where
 * its store cannot be read and the archive does not have it either.
 */
export async function readLetterPage(queueName: string, id: string, userId: string): Promise<LetterPage | null> {
  const queue = queueNamed(queueName);
  if (!queue?.letters) return null;
  const { letters, door } = queue;
  const { own } = pools();
  const [stored, kept] = await Promise.all([
    letters.findLetter(id).then(
      (value) => ({ kind: "read" as const, value }),
      (error: unknown) => ({ kind: "failed" as const, error }),
    ),
    reading("Postgres", () => findKeptLetter(own, queue.name, id)),
  ]);
  if (stored.kind === "failed" || stored.value === null) {
    if (kept.kind !== "read" || kept.value === null) {
      if (stored.kind === "failed") throw stored.error;
      return null;
    }
    const failed = stored.kind === "failed" ? failedReading(stored.error, STORE_NAMES[queue.shape]) : null;
    const letter = letterOfArchive(queue.name, kept.value, await readKeptLives(own, queue.name, id));
    const operations = await reading("Postgres", () => listOperationsOf(own, queue.name, lettersOf(letter)));
    return {
      letter,
      from: failed ? { ...failed, kind: "unread" } : { kind: "gone" },
      kept,
      preflight: null,
      operations,
    };
  }
  const letter = await withKeptLives(own, queue, stored.value);
  const [preflight, operations] = await Promise.all([
    letter.state === "active" && door
      ? reading(STORE_NAMES[queue.shape], async () => {
          const [found] = await door.preflight([letter.id], userId);
          if (!found) throw new Error("the preflight gave no answer for the letter");
          return found;
        })
      : null,
    reading("Postgres", () => listOperationsOf(own, queue.name, lettersOf(letter))),
  ]);
  return { letter, from: { kind: "store" }, kept, preflight, operations };
}

/** The store that the letters of a queue are read from, as sentences call it. */
export function storeOf(queueName: string): "Postgres" | "Redis" {
  const queue = queueNamed(queueName);
  return queue === null ? "Postgres" : STORE_NAMES[queue.shape];
}

const lettersOf = (letter: Letter) => letter.lives.flatMap((life) => life.letterId ?? []);

/** A queue that forgets a letter with its requeue tells of this life alone; the archive remembers those before it. */
async function withKeptLives<L extends Letter>(own: Pool, queue: Queue, letter: L): Promise<L> {
  if (queue.keepsLettersAfterRequeue) return letter;
  const kept = await readKeptLives(own, queue.name, letter.id).catch(() => []);
  return kept.length > 1 && kept.length >= letter.lives.length ? { ...letter, lives: kept } : letter;
}

async function reading<T>(store: "Postgres" | "Redis", read: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { kind: "read", value: await read() };
  } catch (error) {
    return failedReading(error, store);
  }
}
