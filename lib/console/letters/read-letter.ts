import { type LetterOperation, listOperationsOf } from "@/lib/console/requeue/view";
import { queueNamed } from "@/lib/console/sources";
import { pools } from "@/lib/db/pools";
import type { Letter } from "@/lib/domain/dead-letter";
import type { Preflight } from "@/lib/domain/preflight";
import type { Reading } from "@/lib/domain/queue";
import { failedReading } from "@/lib/queues/failed-reading";

/** Everything that a letter's page shows. Only the letter itself must be readable; the rest fails by itself. */
export type LetterPage = {
  letter: Letter & { atMs: number };
  /** Null: the letter is not dead any more, so nothing can be requeued. */
  preflight: Reading<Preflight> | null;
  operations: Reading<LetterOperation[]>;
};

/** One letter of one queue with its preflight and what was tried with it; null when there is no such letter. */
export async function readLetterPage(queueName: string, id: string, userId: string): Promise<LetterPage | null> {
  const queue = queueNamed(queueName);
  const letter = await queue?.letters?.findLetter(id);
  if (!queue || !letter) return null;
  const { door } = queue;
  const lives = letter.lives.flatMap((life) => life.letterId ?? []);
  const [preflight, operations] = await Promise.all([
    letter.state === "active" && door
      ? reading(async () => {
          const [found] = await door.preflight([letter.id], userId);
          if (!found) throw new Error("the preflight gave no answer for the letter");
          return found;
        })
      : null,
    reading(() => listOperationsOf(pools().own, queue.name, lives)),
  ]);
  return { letter, preflight, operations };
}

async function reading<T>(read: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { kind: "read", value: await read() };
  } catch (error) {
    return failedReading(error, "Postgres");
  }
}
