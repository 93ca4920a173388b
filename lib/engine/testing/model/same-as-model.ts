import assert from "node:assert/strict";
import { POISON_ERROR } from "@/lib/engine/persistence-retry/judge-lost-claims";
import { type Model, type Real, versionOf } from "./model";

// One statement: the store at one instant.
const STORE = `
  select
    (select coalesce(jsonb_agg(jsonb_build_object(
         'id', retry_job_id, 'attempts', attempt_count, 'lost', coalesce(lost_leases, 0), 'from', requeued_from,
         'token', lease_token, 'expired', lease_expires_at <= statement_timestamp())
         order by next_attempt_at, created_at, retry_job_id), '[]') from persistence_retry_jobs) as jobs,
    (select coalesce(jsonb_agg(jsonb_build_object(
         'id', dead_letter_id, 'job', retry_job_id, 'poison', error = $2, 'requeued', requeued_at is not null,
         'into', requeued_retry_job_id) order by dead_letter_id), '[]') from persistence_job_dead_letters) as letters,
    (select coalesce(jsonb_object_agg(idempotency_key, retry_job_id), '{}') from persistence_applied_keys) as written,
    (select coalesce(jsonb_object_agg(retry_job_id, outcome), '{}') from persistence_retry_outcomes) as outcomes,
    (select gold::text from reward_balances where character_id = $1) as gold,
    (select version::text from characters where character_id = $1) as version,
    (select count(*)::int from reward_ledger where character_id = $1) as ledger`;

/** The invariants: everything that the store holds is what the model says, row by row, and the jobs in its order. */
export async function assertSameAsModel(model: Model, { pool, person }: Real): Promise<void> {
  const { rows } = await pool.query({
    name: "model_store",
    text: STORE,
    values: [person.characterId, POISON_ERROR],
  });
  assert.deepEqual(rows[0], {
    jobs: model.jobs.map(({ id, attempts, lost, from, lease }) => ({
      id,
      attempts,
      lost,
      from,
      token: lease === null ? null : model.claims[lease.claim]?.claim.token,
      expired: lease === null ? null : lease.expired,
    })),
    letters: [...model.letters]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, jobId, poison, into }) => ({ id, job: jobId, poison, requeued: into !== null, into })),
    written: Object.fromEntries(model.written),
    outcomes: Object.fromEntries(model.outcomes),
    gold: String(model.gold),
    version: versionOf(model),
    ledger: model.written.size,
  });
}
