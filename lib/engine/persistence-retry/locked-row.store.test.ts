import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { insertJob, newCharacter, type Person, rewardsJob } from "@/lib/engine/testing/maker";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { untilBlocked } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";
import { createCounters } from "./counters";
import { startWorker, type Worker } from "./worker";

let stores: TestStores;
let pool: pg.Pool;
let person: Person;
let worker: Worker | null = null;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 6);
});
afterAll(() => stores.close());
beforeEach(async () => {
  await pool.query("truncate persistence_retry_jobs, persistence_job_dead_letters, persistence_retry_minute_counts");
  person = await newCharacter(pool);
});
afterEach(async () => {
  await worker?.stop();
  worker = null;
});

const start = (over = {}) => {
  const settings = retrySettings({ pollMs: 100, ...over });
  worker = startWorker({ pool, settings, signal: new WakeSignal(4), counters: createCounters(), workerId: "w" });
};
const rows = async (text: string, ...values: unknown[]) => (await pool.query(text, values)).rows;
const left = async () => (await rows("select retry_job_id from persistence_retry_jobs")).map((row) => row.retry_job_id);
/** Sessions that wait for a lock just now. */
const waiters = async () =>
  (
    await rows(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  )[0].n as number;
/** Locks a row in a session of its own; answers what lets it go. */
async function lockOf(text: string, id: string): Promise<() => Promise<void>> {
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query(text, [id]);
  return async () => {
    await holder.query("rollback");
    holder.release();
  };
}

test("a row of a claim that somebody else has locked holds up nobody, and is done once it is free: no attempt, no suspicion", async () => {
  const [first = "", locked = "", last = ""] = [
    await insertJob(pool, rewardsJob(person)),
    await insertJob(pool, rewardsJob(await newCharacter(pool))),
    await insertJob(pool, rewardsJob(await newCharacter(pool))),
  ];
  // The worker is kept at its first row, so that the second is claimed and not yet started when it is locked.
  const letGo = await lockOf("select 1 from characters where character_id = $1 for update", person.characterId);
  start();
  await untilBlocked(stores.pool("engine", 1), 1);
  const unlock = await lockOf("select 1 from persistence_retry_jobs where retry_job_id = $1 for update", locked);
  await letGo();
  await until(async () => !(await left()).includes(first));
  let waited = 0;
  await until(async () => {
    waited += await waiters();
    return !(await left()).includes(last);
  });
  expect([await left(), waited]).toEqual([[locked], 0]);
  const [held] = await rows(
    "select attempt_count, coalesce(lost_leases, 0) as lost, lease_owner from persistence_retry_jobs",
  );
  expect(held).toEqual({ attempt_count: 0, lost: 0, lease_owner: "w" });
  await unlock();
  await until(async () => (await left()).length === 0);
  const [counts] = await rows(
    "select sum(done)::int as done, sum(failed)::int as failed, sum(lost_leases)::int as lost from persistence_retry_minute_counts",
  );
  expect(counts).toEqual({ done: 3, failed: 0, lost: 0 });
});

test("suspects are worked off one at a time, each while nothing else is held, and after what is not suspect", async () => {
  const suspects = [await insertJob(pool, rewardsJob(person)), await insertJob(pool, rewardsJob(person))];
  await pool.query("update persistence_retry_jobs set lost_leases = 1");
  const other = await insertJob(pool, rewardsJob(await newCharacter(pool)));
  const letGo = await lockOf("select 1 from characters where character_id = $1 for update", person.characterId);
  start();
  await untilBlocked(stores.pool("engine", 1), 1);
  const held = await rows("select retry_job_id from persistence_retry_jobs where lease_owner = 'w'");
  expect(held).toEqual([{ retry_job_id: suspects[0] }]);
  expect(await left()).not.toContain(other);
  await letGo();
  await until(async () => (await left()).length === 0);
});
