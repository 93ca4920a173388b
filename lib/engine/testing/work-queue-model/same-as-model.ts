import assert from "node:assert/strict";
import { POISON_ERROR } from "@/lib/engine/durable/redis-work-queue";
import { type Entry, readEntry } from "@/lib/engine/durable/redis-work-queue/envelope/entry";
import { readLetter } from "@/lib/engine/durable/redis-work-queue/envelope/letter";
import { countsOf } from "@/lib/engine/testing/work-queue";
import type { Model, ModelEntry, Real } from "./model";

/** The invariants: every list in its order, every trace and every count is what the model says. */
export async function assertSameAsModel(model: Model, { queue }: Real): Promise<void> {
  const { admin, keys } = queue;
  const list = async (key: string) => (await admin.lrangeBuffer(key, 0, -1)).reverse();
  const entries = async (key: string) => (await list(key)).map((bytes) => shownEntry(readEntry(bytes)));
  const [pending, retrying, letters, returns, outcomes, counts, ...held] = await Promise.all([
    entries(keys.pending),
    entries(keys.retrying),
    list(keys.deadLetter).then((all) => all.map(shownLetter)),
    admin.hgetall(keys.returns),
    admin.hgetall(keys.outcomes),
    countsOf(queue),
    ...model.runtimes.map(({ name }) => entries(keys.processingOf(name))),
  ]);
  const kept = Object.entries(outcomes).map(([id, text]) => [id, JSON.parse(text).outcome]);
  assert.deepEqual(
    { pending, retrying, held, letters, returns: { ...returns }, outcomes: Object.fromEntries(kept), counts },
    {
      pending: model.pending.map(shown),
      retrying: model.retrying.map(shown),
      held: model.runtimes.map(({ holds }) => holds.map(shown)),
      letters: model.letters,
      returns: returnsOf(model),
      outcomes: Object.fromEntries(model.outcomes),
      counts: model.counts,
    },
  );
}

function shownLetter(bytes: Buffer) {
  const letter = readLetter(bytes);
  assert.ok(letter);
  const { deadLetterId: id, entryId, failedAttempts: attempts, error, requeuedFrom: from, item } = letter;
  return { n: JSON.parse(item.toString()), id, entryId, attempts, poison: error === POISON_ERROR, from };
}

const shown = ({ n, id, attempts, from }: ModelEntry) => ({ n, id, attempts, from });

function shownEntry(entry: Entry | null) {
  assert.ok(entry);
  const { entryId: id, attempts, requeuedFrom: from, item } = entry;
  return { n: JSON.parse(item.toString()), id, attempts, from };
}

function returnsOf(model: Model): Record<string, string> {
  const live = [...model.pending, ...model.retrying, ...model.runtimes.flatMap(({ holds }) => holds)];
  return Object.fromEntries(live.filter(({ returns }) => returns > 0).map(({ id, returns }) => [id, String(returns)]));
}
