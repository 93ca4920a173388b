import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { newRetryJob, queuePersistenceRetryJobDurableWithMetrics } from "@/lib/engine/persistence-retry/queue";
import { rewardsJob } from "@/lib/engine/testing/maker";
import { command } from "./command";
import { nth, type Write } from "./model";

const CLOSED = "closed";

/** A write is queued: a new one, one that fails until `mend`, or one that was queued before, delivered again. */
const enqueue = fc
  .record({ fails: fc.boolean(), again: fc.option(fc.nat(50), { freq: 6 }), gold: fc.integer({ min: 1, max: 99 }) })
  .map(({ fails, again, gold }) =>
    command(
      `enqueue(${JSON.stringify({ fails, again, gold })})`,
      () => true,
      async (model, { person, queue }) => {
        const before: Write[] = [...model.jobs, ...model.letters];
        const write: Write =
          again !== null && before.length > 0
            ? nth(before, again)
            : { key: randomUUID(), gold: BigInt(gold), zone: fails ? CLOSED : person.zoneId };
        const { key, zone } = write;
        const job = rewardsJob(person, { key, gold: String(write.gold), zoneId: zone });
        const id = randomUUID();
        const told = await queuePersistenceRetryJobDurableWithMetrics(queue, newRetryJob(id, job, null));
        assert.deepEqual(told, { kind: "signaled" });
        model.jobs.push({ id, key, gold: write.gold, zone, attempts: 0, lost: 0, lease: null, from: null });
      },
    ),
  );

/** What the failing ones lacked is there. */
const mend = fc.constant(
  command(
    "mend",
    (model) => !model.open.has(CLOSED),
    async (model, { pool }) => {
      await pool.query("insert into zone_catalog (zone_id, realm_id, name) values ($1, 'aurelia', $1)", [CLOSED]);
      model.open.add(CLOSED);
    },
  ),
);

export const queueCommands = { enqueue, mend };
