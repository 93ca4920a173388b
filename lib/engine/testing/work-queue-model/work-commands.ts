import assert from "node:assert/strict";
import fc from "fast-check";
import { appendItems, takeEntries, tick } from "@/lib/engine/durable/redis-work-queue";
import { command } from "./command";
import { count, living, newEntry, nth } from "./model";

const append = fc.integer({ min: 1, max: 3 }).map((many) =>
  command(
    `append(${many})`,
    () => true,
    async (model, { queue }) => {
      const numbers = Array.from({ length: many }, (_, at) => model.made + at);
      const { entryIds } = await appendItems(
        queue,
        numbers.map((n) => Buffer.from(String(n))),
      );
      model.pending.push(...numbers.map((n, at) => newEntry(n, entryIds[at] ?? "")));
      model.made += many;
      count(model, "queued", many);
    },
  ),
);

const take = fc.record({ runtime: fc.nat(5), max: fc.integer({ min: 1, max: 3 }) }).map((pick) =>
  command(
    `take(${JSON.stringify(pick)})`,
    (model) => living(model).length > 0,
    async (model, { queue }) => {
      const runtime = nth(living(model), pick.runtime);
      const taken = await takeEntries(queue, runtime.name, pick.max);
      const due = model.pending.splice(0, pick.max);
      assert.deepEqual(
        taken.map(({ entry }) => entry?.entryId),
        due.map(({ id }) => id),
      );
      for (const [at, entry] of due.entries()) entry.bytes = taken[at]?.bytes ?? entry.bytes;
      // A take is a heartbeat.
      runtime.silent = false;
      runtime.holds.push(...due);
      runtime.held.push(...due);
    },
  ),
);

/** What had failed goes behind all that wait. */
const oneTick = fc.constant(
  command(
    "tick",
    () => true,
    async (model, { queue }) => {
      assert.equal(await tick(queue), model.retrying.length);
      model.pending.push(...model.retrying.splice(0));
    },
  ),
);

export const workCommands = { append, take, oneTick };
