import { z } from "zod";
import { Count, Reading } from "./queue";

/** The lists of a queue that keeps its work in lists. `processing` is that of one runtime, or of writers that name none. */
export const ListName = z.enum(["pending", "retrying", "processing", "dead_letter"]);
export type ListName = z.infer<typeof ListName>;

/** What stands in a list, without its payload. Times in ms since 1970; null: it does not tell. */
export const ListedEntry = z.object({
  /** Counted from the end that is taken from, from 0: it stands still while others are put in. */
  place: z.number().int(),
  bytes: z.number().int(),
  /** The first digits of the bytes' SHA-256: what is not shown can be told apart by them. */
  hash: z.string(),
  /** Of an entry its own; of a dead letter its letter's. Null: it has none. */
  id: z.string().nullable(),
  /** Why it is not what the list is of; null: it is. */
  odd: z.string().nullable(),
  /** What sort of work, and whose. */
  plan: z.string().nullable(),
  subjectId: z.string().nullable(),
  subjectName: z.string().nullable(),
  attempts: z.number().int().nullable(),
  /** When it was appended; of a letter when it died. */
  atMs: z.number().nullable(),
  requeuedFrom: z.string().nullable(),
  /** Of a letter, masked and cut. */
  error: z.string().nullable(),
});
export type ListedEntry = z.infer<typeof ListedEntry>;

/** Part of a list at one instant of its store's clock. */
export const ListWindow = z.object({
  atMs: z.number(),
  length: z.number().int(),
  entries: z.array(ListedEntry),
  /** It ends before it should: what comes next is too large to be read with the rest. */
  cut: z.boolean(),
});
export type ListWindow = z.infer<typeof ListWindow>;

/** A worker's process and what it holds. `beatMs`: its last heartbeat; null: it is no number. */
export const Runtime = z.object({
  name: z.string(),
  beatMs: z.number().nullable(),
  held: Count,
  /** The first of them, what it took first at the front. */
  entries: z.array(ListedEntry),
});
export type Runtime = z.infer<typeof Runtime>;

const Replica = z.object({
  name: z.string(),
  state: z.string(),
  behindBytes: z.number().nullable(),
  lagS: z.number().nullable(),
});

/** What the store says of itself. Bytes and ms; null: it does not tell. */
export const StoreState = z.object({
  version: z.string().nullable(),
  role: z.string().nullable(),
  aof: z.enum(["on", "off", "loading", "not told"]),
  aofLastWrite: z.string().nullable(),
  lastSaveMs: z.number().nullable(),
  lastSaveStatus: z.string().nullable(),
  memoryUsed: z.number().nullable(),
  /** Null: no limit. */
  memoryMax: z.number().nullable(),
  memoryPolicy: z.string().nullable(),
  evictedKeys: z.number().nullable(),
  replicas: z.array(Replica),
  /** What stands against relying on it, in words. */
  dangers: z.array(z.object({ title: z.string(), reason: z.string() })),
});
export type StoreState = z.infer<typeof StoreState>;

/** Everything around the lists at one instant of their store's clock. */
export const ListState = z.object({
  atMs: z.number(),
  counts: z.object({ pending: Count, retrying: Count, plainProcessing: Count, dead_letter: Count }),
  /** When what waits longest was appended; null: nothing waits, or it does not tell. */
  oldestMs: z.object({ pending: z.number().nullable(), retrying: z.number().nullable() }),
  runtimes: z.array(Runtime),
  /** There are more than are shown. */
  moreRuntimes: z.boolean(),
  /** What writers that do not name their runtime hold. */
  plain: z.array(ListedEntry),
  store: Reading(StoreState),
});
export type ListState = z.infer<typeof ListState>;

/** As it travels: the state, or why it is not told just now; null: the queue keeps no lists. */
export const ListStateReading = Reading(ListState).nullable();
