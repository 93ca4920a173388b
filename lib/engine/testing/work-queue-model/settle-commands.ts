import assert from "node:assert/strict";
import fc from "fast-check";
import { ackEntries, deadLetterEntry, releaseEntry, retryEntry } from "@/lib/engine/durable/redis-work-queue";
import { readEntry } from "@/lib/engine/durable/redis-work-queue/envelope/entry";
import { command } from "./command";
import { bury, count, living, type Model, type ModelEntry, nth, type Real } from "./model";

/** Does it to the store; answers whether it found the entry, and moves the model along when it did. */
type Settle = (real: Real, runtime: string, entry: ModelEntry) => Promise<null | ((model: Model) => void)>;

const SETTLES: Record<string, Settle> = {
  async ack({ queue }, runtime, entry) {
    const [answer] = await ackEntries(queue, runtime, [held(entry)]);
    return answer === "stale" ? null : (model) => done(model, entry, "recovered", "done");
  },
  async skip({ queue }, runtime, entry) {
    const as = { outcome: "superseded", count: "skipped_reconnected" } as const;
    const [answer] = await ackEntries(queue, runtime, [held(entry)], as);
    return answer === "stale" ? null : (model) => done(model, entry, as.outcome, as.count);
  },
  async retry({ queue }, runtime, entry) {
    if ((await retryEntry(queue, runtime, held(entry))) === "stale") return null;
    return (model) => {
      model.retrying.push({ ...entry, attempts: entry.attempts + 1, returns: 0 });
      count(model, "failed");
    };
  },
  async die({ queue }, runtime, entry) {
    const died = await deadLetterEntry(queue, runtime, held(entry), "broken");
    return died.kind === "stale" ? null : (model) => bury(model, entry, died.deadLetterId, false);
  },
  async release({ queue }, runtime, entry) {
    if ((await releaseEntry(queue, runtime, held(entry))) === "stale") return null;
    return (model) => model.pending.unshift(entry);
  },
};

/**
 * A runtime settles what it holds, or (`late`) something that it held once: settled by itself before, or taken from it
 * while it was slow. Only in the first case may anything change.
 */
const settle = fc
  .record({
    how: fc.constantFrom("ack", "ack", "skip", "retry", "retry", "die", "die", "release"),
    runtime: fc.nat(5),
    entry: fc.nat(5),
    late: fc.boolean(),
  })
  .map(({ how, ...pick }) =>
    command(
      `${how}(${JSON.stringify(pick)})`,
      (model) => living(model).some((runtime) => runtime.held.length > 0),
      async (model, real) => {
        const able = living(model).filter((runtime) => runtime.held.length > 0);
        const runtime = nth(able, pick.runtime);
        const entry = nth(pick.late || runtime.holds.length === 0 ? runtime.held : runtime.holds, pick.entry);
        const ours = runtime.holds.includes(entry);
        const then = (await SETTLES[how]?.(real, runtime.name, entry)) ?? null;
        assert.equal(then !== null, ours);
        if (then === null) return;
        runtime.holds.splice(runtime.holds.indexOf(entry), 1);
        then(model);
      },
    ),
  );

function held({ bytes }: ModelEntry) {
  const entry = readEntry(bytes);
  assert.ok(entry);
  return { bytes, entry };
}

function done(model: Model, { from }: ModelEntry, outcome: string, word: string): void {
  if (from !== null) model.outcomes.set(from, outcome);
  count(model, word);
}

export const settleCommands = { settle };
