import fc from "fast-check";
import type pg from "pg";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { newCharacter } from "@/lib/engine/testing/maker";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { claimCommands } from "./claim-commands";
import type { Command } from "./command";
import { leaseCommands } from "./lease-commands";
import { ATTEMPTS_MAX, newModel, type Real } from "./model";
import { queueCommands } from "./queue-commands";
import { requeueCommands } from "./requeue-commands";
import { assertSameAsModel } from "./same-as-model";
import { settleCommands } from "./settle-commands";

const { enqueue, mend } = queueCommands;
const { due, signaled, oneSuspect, release } = claimCommands;
const { crash, expire, judge } = leaseCommands;
const { one, batch } = requeueCommands;
const { settle } = settleCommands;

/** Each as often as it stands here. */
const COMMANDS: fc.Arbitrary<Command>[] = [
  ...[enqueue, enqueue, enqueue, mend],
  ...[due, due, signaled, oneSuspect, oneSuspect, release],
  ...[settle, settle, settle, settle],
  ...[expire, expire, judge, judge, crash],
  ...[one, batch, batch],
];

const TABLES = `persistence_retry_jobs, persistence_job_dead_letters, persistence_retry_outcomes,
  persistence_retry_attempts, persistence_retry_operations, persistence_retry_minute_counts, persistence_applied_keys,
  reward_ledger, reward_balances, reward_items, characters, zone_catalog`;

/** Lengths are random, and some three commands in ten are not possible when their turn comes. */
const LONGEST = 3;

export type ModelOptions = {
  runs: number;
  /** That run, on average: some runs are short, some twice as long. */
  commands: number;
  seed?: number;
  path?: string;
  onRun?: (commands: number) => void;
};

/**
 * Random sequences of everything that can happen to queue, workers and letters, on a store of its own that is emptied
 * before each. Throws with the seed, the path and the shortest sequence that fails.
 */
export async function runModel(pool: pg.Pool, { runs, commands, seed, path, onRun }: ModelOptions): Promise<void> {
  const property = fc.asyncProperty(
    fc.commands(COMMANDS, { maxCommands: Math.ceil(LONGEST * commands), size: "max" }),
    async (sequence) => {
      const ran = { commands: 0 };
      await fc.asyncModelRun(() => begin(pool, ran), sequence);
      onRun?.(ran.commands);
    },
  );
  const where = { ...(seed === undefined ? {} : { seed }), ...(path === undefined ? {} : { path }) };
  await fc.assert(property, { numRuns: runs, ...where });
}

async function begin(pool: pg.Pool, ran: Real["ran"]) {
  await pool.query(`truncate ${TABLES} cascade`);
  const person = await newCharacter(pool);
  const counters = createCounters();
  const settings = retrySettings({ attemptsMax: ATTEMPTS_MAX, backoffMs: 0, backoffCapMs: 0 });
  const real: Real = {
    pool,
    person,
    ran,
    queue: { pool, signal: new WakeSignal(10_000), counters },
    persist: { pool, settings, counters },
  };
  const model = newModel(person.zoneId);
  await assertSameAsModel(model, real);
  return { model, real };
}
