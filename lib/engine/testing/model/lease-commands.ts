import assert from "node:assert/strict";
import fc from "fast-check";
import { judgeLostClaims, LOST_LEASES_MAX } from "@/lib/engine/persistence-retry/judge-lost-claims";
import { command } from "./command";
import { bury, holds, livingClaim, type Model, nth, type Real } from "./model";

/** Nobody will ever settle or release what it holds. */
const crash = fc.nat(20).map((pick) =>
  command(
    `crash(${pick})`,
    (model) => model.claims.some(({ gone }) => !gone),
    async (model) => {
      const { index } = livingClaim(model, pick, "holding");
      nth(model.claims, index).gone = true;
    },
  ),
);

/** The lease of a claim runs out, its worker dead or only slow. */
const expire = fc.nat(20).map((pick) =>
  command(
    `expire(${pick})`,
    (model) => model.jobs.some(({ lease }) => lease !== null),
    async (model, { pool }) => {
      const holding = model.claims.map((_, index) => index).filter((index) => holds(model, index));
      const index = nth(holding, pick);
      await pool.query(
        "update persistence_retry_jobs set lease_expires_at = statement_timestamp() - interval '1 second' where lease_token = $1",
        [model.claims[index]?.claim.token],
      );
      for (const { lease } of model.jobs) if (lease?.claim === index) lease.expired = true;
    },
  ),
);

/** Expired leases are judged by so many workers at the same moment: each once. */
const judge = fc.integer({ min: 1, max: 3 }).map((workers) =>
  command(
    `judge(${workers})`,
    () => true,
    async (model, { pool }: Real) => {
      const judged = (await Promise.all(Array.from({ length: workers }, () => judgeLostClaims(pool)))).flat();
      const expected = expectedJudgement(model);
      assert.deepEqual(
        judged.map(({ retryJobId, lostLeases }) => [retryJobId, lostLeases]).sort(),
        [...expected].map(([job, lost]) => [job.id, lost]).sort(),
      );
      for (const [job, lost] of expected) {
        const letterId = judged.find(({ retryJobId }) => retryJobId === job.id)?.deadLetterId ?? null;
        assert.equal(letterId !== null, lost >= LOST_LEASES_MAX);
        if (letterId !== null) bury(model, job, letterId, true);
        else Object.assign(job, { lost, lease: null });
      }
    },
  ),
);

/** Of each claim that is lost, only the first row that is left can have been in hand. */
function expectedJudgement(model: Model) {
  const seen = new Set<number>();
  const expected = new Map<Model["jobs"][number], number>();
  for (const job of model.jobs) {
    if (!job.lease?.expired) continue;
    expected.set(job, seen.has(job.lease.claim) ? 0 : job.lost + 1);
    seen.add(job.lease.claim);
  }
  return expected;
}

export const leaseCommands = { crash, expire, judge };
