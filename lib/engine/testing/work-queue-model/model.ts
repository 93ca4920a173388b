import type { RequeueAnswer } from "@/lib/engine/durable/redis-work-queue";
import type { TestQueue } from "@/lib/engine/testing/work-queue";

/** A piece of work is known by the number in its item, wherever it is. */
export type ModelEntry = {
  n: number;
  id: string;
  attempts: number;
  returns: number;
  /** The letter that it was requeued from. */
  from: string | null;
  /** As its last holder has it. */
  bytes: Buffer;
};

export type ModelLetter = {
  n: number;
  id: string;
  entryId: string;
  attempts: number;
  poison: boolean;
  from: string | null;
};

export type ModelRuntime = {
  name: string;
  /** Nobody will ever settle or release what it holds. */
  gone: boolean;
  /** Its heartbeat is too old: what it holds may be taken from it. */
  silent: boolean;
  holds: ModelEntry[];
  /** What it held once: it may come back to that. */
  held: ModelEntry[];
};

/** What must be. Lists are in their order, the oldest first. */
export type Model = {
  pending: ModelEntry[];
  retrying: ModelEntry[];
  runtimes: ModelRuntime[];
  letters: ModelLetter[];
  outcomes: Map<string, string>;
  /** Which entry a letter was requeued as. */
  requeued: Map<string, string>;
  /** By operation and letter. */
  answers: Map<string, { expect: number | null; answer: RequeueAnswer }>;
  counts: Record<string, number>;
  made: number;
};

export type Real = {
  queue: TestQueue;
  /** Commands that were possible, and ran. */
  ran: { commands: number };
};

export const newModel = (): Model => ({
  pending: [],
  retrying: [],
  runtimes: [],
  letters: [],
  outcomes: new Map(),
  requeued: new Map(),
  answers: new Map(),
  counts: {},
  made: 0,
});

/** The `n`th, counted round. */
export function nth<T>(items: readonly T[], n: number): T {
  const item = items[n % items.length];
  if (item === undefined) throw new Error("nothing there");
  return item;
}

/** An entry that nobody has taken yet. */
export const newEntry = (n: number, id: string, from: string | null = null): ModelEntry => ({
  ...{ n, id, from, attempts: 0, returns: 0 },
  bytes: Buffer.alloc(0),
});

export const living = (model: Model) => model.runtimes.filter(({ gone }) => !gone);

export function count(model: Model, word: string, n = 1): void {
  if (n > 0) model.counts[word] = (model.counts[word] ?? 0) + n;
}

/** The entry becomes a letter. */
export function bury(model: Model, { n, id, attempts, from }: ModelEntry, letterId: string, poison: boolean): void {
  model.letters.push({ n, id: letterId, entryId: id, attempts: attempts + (poison ? 0 : 1), poison, from });
  if (from !== null) model.outcomes.set(from, "died_again");
  count(model, "dead");
}
