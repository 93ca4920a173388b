import type { Decoded, Letter } from "@/lib/engine/durable/redis-work-queue";
import { readEntry } from "@/lib/engine/durable/redis-work-queue/envelope/entry";
import { NOT_AN_ENTRY } from "@/lib/engine/durable/redis-work-queue/take";
import type { RealtimeStreamCleanup } from "./item/cleanup";
import { decodeCleanup } from "./item/decode";

/** What the worker would make of a letter's work, were it put back now. */
export function readLetterItem({ entryId, item }: Letter): Decoded<RealtimeStreamCleanup> {
  if (entryId !== "") return decodeCleanup(item);
  // What died was no entry: all of its bytes would be put back.
  const entry = readEntry(item);
  return entry === null ? { ok: false, error: NOT_AN_ENTRY } : decodeCleanup(entry.item);
}
