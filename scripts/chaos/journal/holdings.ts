import type { Decoded } from "@/lib/engine/durable/redis-work-queue";
import { readEntries, readLetters } from "@/lib/engine/durable/redis-work-queue";
import type { RealtimeStreamCleanup } from "@/lib/engine/session-lifecycle/item/cleanup";
import type { JournalQueue } from "@/lib/engine/session-lifecycle/journal-queue";

/** A piece of work that stands in a list. */
export type Holding = {
  list: string;
  entryId: string;
  token: string;
  /** Null: it is live. */
  deadLetterId: string | null;
};

const tokenOf = (item: Decoded<RealtimeStreamCleanup>) => (item.ok ? item.value.sessionToken : "?");

/** Everything that stands in the journal's lists, wherever. */
export async function readHoldings(queue: JournalQueue): Promise<Holding[]> {
  const { redis, keys, decode } = queue;
  const all = { max: 1_000_000, first: "oldest" as const, bytesMax: Number.POSITIVE_INFINITY };
  const lists = [keys.pending, keys.retrying, ...(await redis.keys(`${keys.processing}*`))];
  const holdings: Holding[] = [];
  for (const list of lists) {
    for (const { value } of await readEntries(queue, list, all)) {
      const token = value === null ? "?" : tokenOf(decode(value.item));
      holdings.push({ list, entryId: value?.entryId ?? "?", token, deadLetterId: null });
    }
  }
  for (const { value } of await readLetters(queue, all)) {
    const token = value === null ? "?" : tokenOf(decode(value.item));
    const [entryId, deadLetterId] = [value?.entryId ?? "?", value?.deadLetterId ?? "?"];
    holdings.push({ list: keys.deadLetter, entryId, token, deadLetterId });
  }
  return holdings;
}
