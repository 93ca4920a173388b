import type { Pool } from "pg";
import { sqlState } from "@/lib/db/pg";
import type { ArchiveKey, ArchiveReader, Queue } from "@/lib/queues/queue";
import { readDeskRequeues } from "./desk-requeues";
import { printOf } from "./group-rows";
import { missingOf } from "./missing";
import { nextState } from "./next-state";
import { type Kept, writeLetters } from "./write";

/** What is in memory at a time, however many letters there are and however large. */
const ROWS_MAX = 500;
const BYTES_MAX = 4 * 1024 * 1024;

/** A queue whose letters can be kept. */
export type ArchivedQueue = Queue & { archive: ArchiveReader };

/** A queue's letters can be kept. */
export const isArchived = (queue: Queue): queue is ArchivedQueue => queue.archive !== null;

/** Copies those of some letters that are not kept yet. Answers how many were. */
export async function copyLetters(own: Pool, queue: ArchivedQueue, keys: readonly ArchiveKey[]): Promise<number> {
  const chunks = [...chunksOf(await missingOf(own, queue.name, keys))];
  let copied = 0;
  let reading = readAhead(own, queue, chunks[0]);
  for (const [index, chunk] of chunks.entries()) {
    const read = await reading;
    // The next are read while these are written.
    reading = readAhead(own, queue, chunks[index + 1]);
    copied += await copyChunk(own, queue, chunk, read);
  }
  return copied;
}

/** One letter, before anything is planned with it. A letter that is not in its store any more is no fault. */
export async function copyIn(own: Pool, queue: Queue, letterId: string): Promise<void> {
  if (!isArchived(queue)) return;
  await copyLetters(own, queue, await queue.archive.findKeys([letterId]));
}

function* chunksOf(keys: readonly ArchiveKey[]): Generator<ArchiveKey[]> {
  let chunk: ArchiveKey[] = [];
  let bytes = 0;
  for (const key of keys) {
    if (chunk.length === ROWS_MAX || (chunk.length > 0 && bytes + key.bytes > BYTES_MAX)) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(key);
    bytes += key.bytes;
  }
  if (chunk.length > 0) yield chunk;
}

/** What a row holds, and not the store: data that is refused, a limit, a rule of a table. */
const isOfData = (error: unknown) => /^(22|23|54)/.test(sqlState(error) ?? "");

type Read = { kept: Kept[] } | { error: unknown };

/** What goes wrong is told when its turn comes: until then nobody waits for it. */
const readAhead = async (own: Pool, queue: ArchivedQueue, chunk: readonly ArchiveKey[] = []): Promise<Read> => {
  try {
    return { kept: await readKept(own, queue, chunk) };
  } catch (error) {
    return { error };
  }
};

/** One row that cannot be kept must not keep out all others, and is named. */
async function copyChunk(own: Pool, queue: ArchivedQueue, chunk: readonly ArchiveKey[], read: Read): Promise<number> {
  try {
    if ("error" in read) throw read.error;
    return await writeLetters(own, queue.name, read.kept);
  } catch (error) {
    if (!isOfData(error)) throw error;
    const [first] = chunk;
    if (chunk.length === 1 && first) {
      const { letterId } = first;
      console.error(
        JSON.stringify({ event: "letter_not_archived", queue: queue.name, letterId, code: sqlState(error) }),
      );
      return 0;
    }
    const half = Math.ceil(chunk.length / 2);
    let copied = 0;
    for (const part of [chunk.slice(0, half), chunk.slice(half)])
      copied += await copyChunk(own, queue, part, await readAhead(own, queue, part));
    return copied;
  }
}

async function readKept(own: Pool, queue: ArchivedQueue, chunk: readonly ArchiveKey[]): Promise<Kept[]> {
  if (chunk.length === 0) return [];
  const generations = new Map(chunk.map(({ letterId, generation }) => [letterId, generation]));
  const read = await queue.archive.readLetters([...generations.keys()]);
  // Where an id can die again, what is read now need not be what was listed.
  const letters = read.filter((letter) => generations.get(letter.letterId) === letter.generation);
  const requeued = letters.filter((letter) => letter.requeued).map(({ letterId }) => ({ letterId, jobId: null }));
  const ids = requeued.map(({ letterId }) => letterId);
  const [states, desk] = await Promise.all([
    queue.archive.readStates(requeued),
    readDeskRequeues(own, queue.name, ids),
  ]);
  return letters.map((letter) => {
    const stored = states.get(letter.letterId);
    const print = printOf(letter.error);
    return { letter, print, change: stored ? nextState("open", stored, desk.get(letter.letterId) ?? []) : null };
  });
}
