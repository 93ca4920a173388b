import assert from "node:assert/strict";
import fc from "fast-check";
import {
  beat,
  newRuntime,
  RETURNS_MAX,
  readEntries,
  readLetters,
  returnLeftovers,
} from "@/lib/engine/durable/redis-work-queue";
import { command } from "./command";
import { bury, count, living, type Model, type ModelEntry, nth, type Real } from "./model";

/** No runtime is silent for so long by itself. Ms. */
const GONE = { goneAfterMs: 600_000 };

/** A worker begins. */
const begin = fc.constant(
  command(
    "begin",
    (model) => living(model).length < 4,
    async (model, { queue }) => {
      const name = newRuntime();
      await beat(queue, name);
      model.runtimes.push({ name, gone: false, silent: false, holds: [], held: [] });
    },
  ),
);

/** A worker is killed, or (`slow`) stands still for longer than its heartbeat is good, and comes back to what it held. */
const crash = fc.record({ runtime: fc.nat(5), slow: fc.boolean() }).map((pick) =>
  command(
    `crash(${JSON.stringify(pick)})`,
    (model) => living(model).length > 0,
    async (model, { queue }) => {
      const runtime = nth(living(model), pick.runtime);
      await queue.admin.hset(queue.keys.runtimes, runtime.name, "1");
      runtime.gone = !pick.slow;
      runtime.silent = true;
    },
  ),
);

/** So many workers start at the same moment: each leftover comes back once, in its old order. */
const start = fc.integer({ min: 1, max: 3 }).map((many) =>
  command(
    `start(${many})`,
    () => true,
    async (model, real) => {
      const starts = Array.from({ length: many }, () => returnLeftovers(real.queue, newRuntime(), GONE));
      const told = await Promise.all(starts);
      const [back, poison] = leftoversOf(model);
      const sum = (what: "returned" | "dead") => told.reduce((total, each) => total + each[what], 0);
      assert.deepEqual([sum("returned"), sum("dead")], [back.length, poison.length]);
      await moveBack(model, real, back, poison);
    },
  ),
);

function leftoversOf(model: Model): [back: ModelEntry[], poison: ModelEntry[]] {
  const all = model.runtimes.filter(({ silent }) => silent).flatMap(({ holds }) => holds);
  const isPoison = ({ returns }: ModelEntry) => returns + 1 >= RETURNS_MAX;
  return [all.filter((entry) => !isPoison(entry)), all.filter(isPoison)];
}

/** Which runtime's leftovers come first is nobody's promise; that each one's keep their order is. */
async function moveBack(model: Model, { queue }: Real, back: ModelEntry[], poison: ModelEntry[]): Promise<void> {
  const letters = await readLetters(queue, { max: 1_000, first: "oldest" });
  for (const { value } of letters.slice(model.letters.length)) {
    const entry = poison.find(({ id }) => id === value?.entryId);
    assert.ok(entry && value);
    bury(model, entry, value.deadLetterId, true);
  }
  const order = await pendingIds(queue, back.length);
  for (const { silent, holds } of model.runtimes) {
    const kept = silent ? holds.filter((entry) => back.includes(entry)).map(({ id }) => id) : [];
    assert.deepEqual(
      order.filter((id) => kept.includes(id)),
      kept,
    );
    if (silent) holds.splice(0);
  }
  const moved = order.map((id) => back.find((entry) => entry.id === id));
  for (const entry of moved) {
    assert.ok(entry);
    entry.returns += 1;
    count(model, "returned");
  }
  model.pending.unshift(...moved.flatMap((entry) => (entry ? [entry] : [])));
}

async function pendingIds(queue: Real["queue"], many: number): Promise<string[]> {
  const seen = await readEntries(queue, queue.keys.pending, { max: many, first: "oldest" });
  return seen.map(({ value }) => value?.entryId ?? "");
}

export const runtimeCommands = { begin, crash, start };
