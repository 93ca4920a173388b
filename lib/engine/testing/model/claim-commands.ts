import assert from "node:assert/strict";
import fc from "fast-check";
import { type Claim, claimDue, claimSignaled, claimSuspect, releaseClaim } from "@/lib/engine/persistence-retry/claim";
import { command } from "./command";
import { LEASE_MS, livingClaim, type Model, type ModelJob, nth } from "./model";

const ask = (rowsMax: number) => ({ worker: "worker", leaseMs: LEASE_MS, rowsMax });
const free = (job: ModelJob) => job.lease === null && job.lost === 0;
const suspect = (job: ModelJob) => job.lease === null && job.lost > 0;

function hold(model: Model, claim: Claim, due: ModelJob[]): void {
  assert.deepEqual(
    claim.jobs.map((job) => job.retryJobId),
    due.map((job) => job.id),
  );
  if (due.length === 0) return;
  model.claims.push({ claim, gone: false });
  for (const job of due) job.lease = { claim: model.claims.length - 1, expired: false };
}

/** Polling: the longest due first, no suspects. */
const due = fc.integer({ min: 1, max: 4 }).map((rowsMax) =>
  command(
    `claimDue(${rowsMax})`,
    () => true,
    async (model, { pool }) =>
      hold(model, await claimDue(pool, ask(rowsMax)), model.jobs.filter(free).slice(0, rowsMax)),
  ),
);

/** By id: those of them that are free. */
const signaled = fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }).map((picks) =>
  command(
    `claimSignaled(${picks})`,
    (model) => model.jobs.length > 0,
    async (model, { pool }) => {
      const ids = picks.map((pick) => nth(model.jobs, pick).id);
      const expected = model.jobs.filter((job) => free(job) && ids.includes(job.id));
      hold(model, await claimSignaled(pool, ids, ask(10)), expected);
    },
  ),
);

/** Alone: the first of those that lost their lease in hand. */
const oneSuspect = fc.constant(
  command(
    "claimSuspect",
    () => true,
    async (model, { pool }) => hold(model, await claimSuspect(pool, ask(1)), model.jobs.filter(suspect).slice(0, 1)),
  ),
);

/** What its worker still holds is given back, by a worker that may be late. */
const release = fc.nat(20).map((pick) =>
  command(
    `release(${pick})`,
    (model) => model.claims.some(({ gone }) => !gone),
    async (model, { pool }) => {
      const { claim, index } = livingClaim(model, pick, "holding");
      const held = model.jobs.filter((job) => job.lease?.claim === index);
      assert.deepEqual(await releaseClaim(pool, claim, claim.jobs), { released: held.length, stuck: [] });
      for (const job of held) Object.assign(job, { lease: null, lost: 0 });
    },
  ),
);

export const claimCommands = { due, signaled, oneSuspect, release };
