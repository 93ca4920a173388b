import type { Redis } from "ioredis";
import { type WorkQueue, workQueueKeys } from "@/lib/engine/durable/redis-work-queue";
import type { RealtimeStreamCleanup } from "./item/cleanup";
import { decodeCleanup } from "./item/decode";

/** The session lifecycle journal: a durable queue of cleanups. */
export type JournalQueue = WorkQueue<RealtimeStreamCleanup>;

/** Where it is; the hash tag keeps its keys in one slot. */
export const JOURNAL_PREFIX = "{session_lifecycle}:journal";

/** @param redis from `createWriteRedis` */
export const journalQueue = (redis: Redis): JournalQueue => ({
  redis,
  keys: workQueueKeys(JOURNAL_PREFIX),
  decode: decodeCleanup,
});
