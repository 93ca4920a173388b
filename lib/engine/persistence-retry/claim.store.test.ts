import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertJob, newCharacter, type Person, rewardsJob } from "@/lib/engine/testing/maker";
import { overlapping } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { claimDue, claimSignaled, releaseClaim } from "./claim";

let stores: TestStores;
let pool: pg.Pool;
let person: Person;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 24);
  person = await newCharacter(pool);
});
afterAll(() => stores.close());
beforeEach(() => pool.query("truncate persistence_retry_jobs, persistence_retry_minute_counts"));

const ask = (worker: string, rowsMax = 128) => ({ worker, leaseMs: 30_000, rowsMax });
const idsOf = (claim: { jobs: { retryJobId: string }[] }) => claim.jobs.map((job) => job.retryJobId);

async function manyDue(count: number): Promise<void> {
  await pool.query(
    `insert into persistence_retry_jobs
       (retry_job_id, job_kind, character_id, realm_id, payload, next_attempt_at, created_at, updated_at)
     select gen_random_uuid(), 'combat_rewards', $1, 'aurelia', '{}', clock_timestamp(), clock_timestamp(),
            clock_timestamp() from generate_series(1, $2)`,
    [person.characterId, count],
  );
}

test("two workers that claim at the same moment get disjoint rows; neither waits for the other", async () => {
  await manyDue(200);
  const first = await pool.connect();
  await first.query("begin");
  const a = idsOf(await claimDue(first, ask("a")));
  // The first still holds its rows, uncommitted.
  const b = idsOf(await claimDue(pool, ask("b")));
  await first.query("commit");
  first.release();
  expect([a.length, b.length]).toEqual([128, 72]);
  expect(new Set([...a, ...b]).size).toBe(200);
  const { rows } = await pool.query("select lease_owner, count(*)::int as n from persistence_retry_jobs group by 1");
  expect(rows.map((row) => row.n).sort()).toEqual([128, 72]);
});

test("twenty claims by id of one signaled job: one gets it", async () => {
  const id = await insertJob(pool, rewardsJob(person));
  const lock = { text: "lock table persistence_retry_jobs in exclusive mode", values: [] };
  const presses = Array.from({ length: 20 }, (_, n) => () => claimSignaled(pool, [id], ask(`w${n}`)));
  const settled = await overlapping(pool, lock, presses);
  const got = settled.filter((each) => each.status === "fulfilled" && each.value.jobs.length === 1);
  expect(got).toHaveLength(1);
});

test("a claim takes what is due and free, the longest due first; leased, scheduled and retrying rows stay", async () => {
  const states = ["due", "scheduled", "retrying", "leased"] as const;
  const ids = Object.fromEntries(
    await Promise.all(states.map(async (state) => [state, await insertJob(pool, rewardsJob(person), state)])),
  );
  const longest = await insertJob(pool, rewardsJob(person));
  await pool.query(
    "update persistence_retry_jobs set next_attempt_at = clock_timestamp() - interval '1 hour' where retry_job_id = $1",
    [longest],
  );
  const claim = await claimDue(pool, ask("w"));
  expect(idsOf(claim)).toEqual([longest, ids.due]);
  const { rows } = await pool.query(
    `select lease_owner, extract(epoch from lease_expires_at - clock_timestamp())::float8 as left_s
       from persistence_retry_jobs where lease_token = $1`,
    [claim.token],
  );
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row.lease_owner).toBe("w");
    expect(row.left_s).toBeGreaterThan(25);
    expect(row.left_s).toBeLessThanOrEqual(30);
  }
});

test("a release makes rows due at once, counts no attempt, and touches nobody else's", async () => {
  await manyDue(3);
  const claim = await claimDue(pool, ask("w"));
  const [mine] = claim.jobs;
  await pool.query("update persistence_retry_jobs set lease_token = gen_random_uuid() where retry_job_id = $1", [
    mine?.retryJobId,
  ]);
  expect(await releaseClaim(pool, claim, claim.jobs)).toEqual({ released: 2, stuck: [] });
  const again = await claimDue(pool, ask("v"));
  expect(idsOf(again)).toEqual(idsOf(claim).slice(1));
  const { rows } = await pool.query("select max(attempt_count) as attempts from persistence_retry_jobs");
  expect(rows).toEqual([{ attempts: 0 }]);
});

test("a row that somebody has locked is told as stuck, and nobody waits for it", async () => {
  await manyDue(2);
  const claim = await claimDue(pool, ask("w"));
  const [locked, free] = claim.jobs;
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from persistence_retry_jobs where retry_job_id = $1 for update", [locked?.retryJobId]);
  expect(await releaseClaim(pool, claim, claim.jobs)).toEqual({ released: 1, stuck: [locked] });
  expect(idsOf(await claimDue(pool, ask("v")))).toEqual([free?.retryJobId]);
  await holder.query("rollback");
  holder.release();
  expect(await releaseClaim(pool, claim, claim.jobs)).toEqual({ released: 1, stuck: [] });
});

test("with fifty thousand rows that wait for later, a claim is served by the index", async () => {
  await manyDue(1);
  await pool.query(
    `insert into persistence_retry_jobs
       (retry_job_id, job_kind, character_id, realm_id, payload, next_attempt_at, created_at, updated_at)
     select gen_random_uuid(), 'combat_rewards', $1, 'aurelia', '{}', clock_timestamp() + interval '1 day',
            clock_timestamp(), clock_timestamp() from generate_series(1, 50000)`,
    [person.characterId],
  );
  await pool.query("analyze persistence_retry_jobs");
  const { rows } = await pool.query(
    `explain (analyze, format json)
     select retry_job_id from persistence_retry_jobs
      where next_attempt_at <= statement_timestamp()
        and lease_expires_at is null and coalesce(lost_leases, 0) = 0
      order by next_attempt_at, created_at, retry_job_id limit 128 for update skip locked`,
  );
  const plan = JSON.stringify(rows[0]["QUERY PLAN"]);
  expect(plan).toContain("persistence_retry_jobs_claim_order");
  expect(plan).not.toContain("Seq Scan");
  expect(idsOf(await claimDue(pool, ask("w")))).toHaveLength(1);
});
