import type { Redis } from "ioredis";
import { type WorkQueue, workQueueKeys } from "@/lib/engine/durable/redis-work-queue";
import type { RealtimeStreamCleanup } from "./item/cleanup";
import { decodeCleanup } from "./item/decode";

/** The session lifecycle journal: a durable queue of cleanups. */
export type JournalQueue = WorkQueue<RealtimeStreamCleanup>;

/** Where it is unless it is said otherwise; the hash tag keeps its keys in one slot. */
const JOURNAL_PREFIX = "{session_lifecycle}:journal";

/**
 * @param redis from `createWriteRedis`
 * @param prefix what stands before `:pending` and its other keys; null: the usual
 */
export const journalQueue = (redis: Redis, prefix: string | null = null): JournalQueue => ({
  redis,
  keys: workQueueKeys(prefix ?? JOURNAL_PREFIX),
  decode: decodeCleanup,
});
