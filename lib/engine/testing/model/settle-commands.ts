import assert from "node:assert/strict";
import fc from "fast-check";
import { persistRetryJobBestEffort } from "@/lib/engine/persistence-retry/persist-retry-job";
import { command } from "./command";
import { ATTEMPTS_MAX, bury, livingClaim, type Model, type ModelJob, nth, type Real } from "./model";

/**
 * A worker works on a row of a claim of its own: one it holds, or one that was settled before, given back, taken by
 * another, or whose lease ran out. Only in the first case may anything change.
 */
const settle = fc.record({ claim: fc.nat(20), job: fc.nat(5), late: fc.boolean() }).map((pick) =>
  command(
    `settle(${JSON.stringify(pick)})`,
    (model) => model.claims.some(({ gone }) => !gone),
    async (model, real) => {
      const { claim, index } = livingClaim(model, pick.claim, pick.late ? "any" : "holding");
      const held = claim.jobs.filter((each) =>
        model.jobs.some((job) => job.id === each.retryJobId && job.lease?.claim === index),
      );
      const claimed = nth(pick.late || held.length === 0 ? claim.jobs : held, pick.job);
      const job = model.jobs.find(({ id }) => id === claimed.retryJobId);
      const ours = job?.lease?.claim === index && !job.lease.expired;
      const ending = await persistRetryJobBestEffort(real.persist, claim, claimed);
      assert.equal(ending, job && ours ? endingOf(model, job) : "stale");
      if (job && ours) await settled(model, real, job);
    },
  ),
);

const lands = (model: Model, job: ModelJob) => model.written.has(job.key) || model.open.has(job.zone);

function endingOf(model: Model, job: ModelJob): "done" | "failed" | "dead" {
  if (lands(model, job)) return "done";
  return job.attempts + 1 >= ATTEMPTS_MAX ? "dead" : "failed";
}

async function settled(model: Model, { pool }: Real, job: ModelJob): Promise<void> {
  if (!lands(model, job)) {
    if (endingOf(model, job) === "dead") {
      const { rows } = await pool.query(
        "select dead_letter_id from persistence_job_dead_letters where retry_job_id = $1",
        [job.id],
      );
      return bury(model, job, rows[0]?.dead_letter_id, false);
    }
    // Its next time is behind that of all others.
    model.jobs.push(...model.jobs.splice(model.jobs.indexOf(job), 1));
    Object.assign(job, { attempts: job.attempts + 1, lost: 0, lease: null });
    return;
  }
  const superseded = model.written.has(job.key);
  model.jobs.splice(model.jobs.indexOf(job), 1);
  if (job.from !== null) model.outcomes.set(job.id, superseded ? "superseded" : "recovered");
  if (superseded) return;
  model.written.set(job.key, job.id);
  model.gold += job.gold;
}

export const settleCommands = { settle };
