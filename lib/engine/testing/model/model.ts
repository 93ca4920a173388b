import type pg from "pg";
import type { Claim } from "@/lib/engine/persistence-retry/claim";
import type { PersistDeps } from "@/lib/engine/persistence-retry/persist-retry-job";
import type { QueueDeps } from "@/lib/engine/persistence-retry/queue";
import type { Person } from "@/lib/engine/testing/maker";
import type { BatchAnswerItem } from "@/lib/internal-rpc/wire";

/** What a write is, wherever it is: live, or dead. `zone`: it fails while that is not in the catalog. */
export type Write = { key: string; gold: bigint; zone: string };

export type ModelJob = Write & {
  id: string;
  attempts: number;
  lost: number;
  /** Which claim holds it, by its place in `claims`. */
  lease: { claim: number; expired: boolean } | null;
  /** The letter that it was requeued from. */
  from: string | null;
};

export type ModelLetter = Write & { id: string; jobId: string; poison: boolean; into: string | null };

export type ModelOutcome = "recovered" | "superseded" | "died_again";

/** What must be. Times are not in it: the order of `jobs` is the order in which they must be claimed. */
export type Model = {
  jobs: ModelJob[];
  letters: ModelLetter[];
  /** `gone`: its worker is no more. */
  claims: { claim: Claim; gone: boolean }[];
  /** Which job wrote a key. */
  written: Map<string, string>;
  outcomes: Map<string, ModelOutcome>;
  open: Set<string>;
  gold: bigint;
  /** By operation and letter. */
  answers: Map<string, { expect: string | null; answer: BatchAnswerItem }>;
};

/** The engine's own functions on a real store. */
export type Real = {
  pool: pg.Pool;
  person: Person;
  queue: QueueDeps;
  persist: PersistDeps;
  /** Commands that were possible, and ran. */
  ran: { commands: number };
};

export const BEGIN = { gold: 100n, version: 7 };
export const ATTEMPTS_MAX = 2;
/** No lease runs out by itself. */
export const LEASE_MS = 600_000;

export const newModel = (zone: string): Model => ({
  jobs: [],
  letters: [],
  claims: [],
  written: new Map(),
  outcomes: new Map(),
  open: new Set([zone]),
  gold: BEGIN.gold,
  answers: new Map(),
});

export const versionOf = (model: Model) => String(BEGIN.version + model.written.size);

/** The `n`th, counted round. */
export function nth<T>(items: readonly T[], n: number): T {
  const item = items[n % items.length];
  if (item === undefined) throw new Error("nothing there");
  return item;
}

/** The job leaves the live ones for a letter. */
export function bury(model: Model, job: ModelJob, letterId: string, poison: boolean): void {
  const { key, gold, zone, id } = job;
  model.jobs.splice(model.jobs.indexOf(job), 1);
  model.letters.push({ key, gold, zone, id: letterId, jobId: id, poison, into: null });
  if (job.from !== null) model.outcomes.set(id, "died_again");
}

/** A fresh job of the letter's write is due, behind all others. */
export function revive(model: Model, letter: ModelLetter, id: string): void {
  const { key, gold, zone } = letter;
  letter.into = id;
  model.jobs.push({ id, key, gold, zone, attempts: 0, lost: 0, lease: null, from: letter.id });
}

/**
 * A claim whose worker lives, and its place. `holding`: one that still holds a row, where there is one; most of them
 * have nothing left, and a worker seldom comes back to those.
 */
export function livingClaim(model: Model, pick: number, which: "any" | "holding"): { claim: Claim; index: number } {
  const living = model.claims.flatMap(({ gone }, index) => (gone ? [] : [index]));
  const held = living.filter((index) => holds(model, index));
  const index = nth(which === "holding" && held.length > 0 ? held : living, pick);
  return { claim: nth(model.claims, index).claim, index };
}

/** Whether the claim's token stands in a row. */
export const holds = (model: Model, index: number) => model.jobs.some(({ lease }) => lease?.claim === index);
