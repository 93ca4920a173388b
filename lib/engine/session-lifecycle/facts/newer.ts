import { readEntries, readLetters } from "@/lib/engine/durable/redis-work-queue";
import { decodeCleanup } from "@/lib/engine/session-lifecycle/item/decode";
import type { JournalQueue } from "@/lib/engine/session-lifecycle/journal-queue";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";

type Newer = Pick<JournalFacts, "newer_entries" | "newer_letters" | "newer_cut">;

/** What is looked at, at the newest end of each list: a letter is judged on one look at them. */
const LOOK_MAX = 500;
const BYTES_MAX = 2 * 1024 * 1024;
const TOLD_MAX = 20;

/**
 * Cleanups that wait or died of late, by session. Whatever waits is taken to be newer than a letter: what died waited
 * before it. A letter is newer that stands nearer to the end where they are put in.
 */
export async function readNewer(queue: JournalQueue): Promise<(token: string, deadLetterId: string) => Newer> {
  const ask = { max: LOOK_MAX, first: "newest" as const, bytesMax: BYTES_MAX };
  const [pending, retrying, letters, ...depths] = await Promise.all([
    readEntries(queue, queue.keys.pending, ask),
    readEntries(queue, queue.keys.retrying, ask),
    readLetters(queue, ask),
    ...[queue.keys.pending, queue.keys.retrying, queue.keys.deadLetter].map((key) => queue.redis.llen(key)),
  ]);
  const cut = [pending, retrying, letters].some((seen, n) => seen.length < (depths[n] ?? 0));
  const tokenOf = (item: Buffer) => {
    const decoded = decodeCleanup(item);
    return decoded.ok ? decoded.value.sessionToken : null;
  };
  const waiting = [...pending, ...retrying].flatMap(({ value }) =>
    value ? [{ token: tokenOf(value.item), entry_id: value.entryId, enqueued_at: value.enqueuedAt }] : [],
  );
  const died = letters.flatMap(({ value }) =>
    value ? [{ token: tokenOf(value.item), id: value.deadLetterId, at: value.deadLetteredAt }] : [],
  );
  return (token, deadLetterId) => {
    const place = died.findIndex(({ id }) => id === deadLetterId);
    const later = place < 0 ? died : died.slice(0, place);
    return {
      newer_entries: waiting
        .filter((entry) => entry.token === token)
        .slice(0, TOLD_MAX)
        .map(({ entry_id, enqueued_at }) => ({ entry_id, enqueued_at })),
      newer_letters: later
        .filter((letter) => letter.token === token)
        .slice(0, TOLD_MAX)
        .map(({ id, at }) => ({ dead_letter_id: id, dead_lettered_at: at })),
      newer_cut: cut,
    };
  };
}
