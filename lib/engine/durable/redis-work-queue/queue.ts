import type { Redis } from "ioredis";
import type { WorkQueueKeys } from "./keys";

/** What became of reading an item's bytes. */
export type Decoded<T> = { ok: true; value: T } | { ok: false; error: string };

/** A durable queue over Redis lists, of items of one type. Its functions take it as their first argument. */
export type WorkQueue<T> = {
  /** From `createWriteRedis`: a connection that sends nothing twice. */
  redis: Redis;
  keys: WorkQueueKeys;
  /** Reads an item; its bytes are moved as they are, whatever this makes of them. */
  decode: (item: Buffer) => Decoded<T>;
};

/** Where only bytes are moved. */
export type AnyQueue = Pick<WorkQueue<unknown>, "redis" | "keys">;
