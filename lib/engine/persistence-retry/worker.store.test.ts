import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { RetrySettings } from "@/lib/config-engine";
import { createPool } from "@/lib/db/pg";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { insertJob, locationJob, newCharacter, type Person, rewardsJob } from "@/lib/engine/testing/maker";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { untilBlocked } from "@/scripts/testing/forced-race";
import { startProxy } from "@/scripts/testing/proxy";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { createCounters } from "./counters";
import { newRetryJob, queuePersistenceRetryJobDurableWithMetrics } from "./queue";
import { startWorker, type Worker } from "./worker";

const SETTINGS = retrySettings({ pollMs: 60_000, backoffMs: 20, backoffCapMs: 50 });

let stores: TestStores;
let pool: pg.Pool;
let person: Person;
let worker: Worker | null = null;
beforeAll(async () => {
  stores = await openStores();
  pool = createPool({
    url: stores.postgresUrl("engine"),
    application: "worker-test",
    max: 4,
    statementTimeoutMs: 8_000,
  });
  person = await newCharacter(pool);
});
afterAll(async () => {
  await pool.end();
  await stores.close();
});
beforeEach(() => pool.query("truncate persistence_retry_jobs"));
afterEach(async () => {
  await worker?.stop();
  worker = null;
});

function start(over: Partial<RetrySettings> = {}, signal = new WakeSignal(16)) {
  const counters = createCounters();
  worker = startWorker({ pool, settings: { ...SETTINGS, ...over }, signal, counters, workerId: "w1" });
  return { signal, counters, pool };
}
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await condition()) return;
    await sleep(20);
  }
  throw new Error("it did not come to that within 10 s");
}
const waiting = async () => (await pool.query("select count(*)::int as n from persistence_retry_jobs")).rows[0].n;
const gone = () => until(async () => (await waiting()) === 0);
const queue = (deps: Parameters<typeof queuePersistenceRetryJobDurableWithMetrics>[0]) =>
  queuePersistenceRetryJobDurableWithMetrics(
    deps,
    newRetryJob(randomUUID(), rewardsJob(person), "a secret of a test only"),
  );

test("a signaled job is worked off at once, long before the next poll", async () => {
  const deps = start();
  await until(async () => (await pool.query("select 1")).rowCount === 1);
  await sleep(200);
  const startedMs = performance.now();
  expect(await queue(deps)).toEqual({ kind: "signaled" });
  await gone();
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});

test("a row that nobody signaled is found by polling", async () => {
  start({ pollMs: 50 });
  await insertJob(pool, locationJob(person));
  await gone();
});

test("a full or closed signal leaves a durable row: told, counted, and found by polling", async () => {
  const signal = new WakeSignal(1);
  const deps = { signal, counters: createCounters(), pool };
  expect(await queue(deps)).toEqual({ kind: "signaled" });
  expect(await queue(deps)).toEqual({ kind: "durable_only", why: "queue_full" });
  signal.close();
  expect(await queue(deps)).toEqual({ kind: "durable_only", why: "queue_closed" });
  const { values } = await deps.counters.durableOnly.get();
  expect(values.map(({ labels, value }) => [labels.reason, value])).toEqual([
    ["queue_full", 1],
    ["queue_closed", 1],
  ]);
  expect(await waiting()).toBe(3);
  start({ pollMs: 50 });
  await gone();
});

test("a full poll is followed at once by the next: far more than one batch needs no second interval", async () => {
  for (let n = 0; n < 12; n += 1) await insertJob(pool, rewardsJob(person));
  start({ batchMax: 5 });
  await gone();
});

test("rows of a claim are applied in their order, one at a time", async () => {
  const jobs = [];
  for (let n = 0; n < 6; n += 1) {
    const key = `ordered-${n}`;
    jobs.push(key);
    await insertJob(pool, rewardsJob(person, { key }));
  }
  start();
  await gone();
  const { rows } = await pool.query(
    "select idempotency_key from reward_ledger where idempotency_key like 'ordered-%' order by ledger_id",
  );
  expect(rows.map((row) => row.idempotency_key)).toEqual(jobs);
});

test("stopped in the middle of a claim, it finishes the row in hand and gives the others back, uncounted", async () => {
  for (let n = 0; n < 4; n += 1) await insertJob(pool, rewardsJob(person));
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from characters where character_id = $1 for update", [person.characterId]);
  start();
  await until(async () => {
    const { rows } = await pool.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows[0].n === 1;
  });
  const stopping = worker?.stop();
  await sleep(50);
  await holder.query("rollback");
  holder.release();
  await stopping;
  const { rows } = await pool.query(
    "select attempt_count, lease_token, next_attempt_at <= clock_timestamp() as due from persistence_retry_jobs",
  );
  expect(rows).toEqual(Array(3).fill({ attempt_count: 0, lease_token: null, due: true }));
});

test("with a lease that covers one write only, a claim goes on in new claims, and no attempt is counted", async () => {
  for (let n = 0; n < 5; n += 1) await insertJob(pool, rewardsJob(person));
  // Whatever a write takes, the lease is too short for a second one soon after the first.
  start({ leaseMs: 400, transactionTimeoutMs: 350, leaseMarginMs: 40 });
  await gone();
  const { rows } = await pool.query("select count(*)::int as n from persistence_retry_attempts");
  expect(rows).toEqual([{ n: 0 }]);
});

test.each(["claim_due", "claim_suspect"])(
  "rows that %s took unknowingly, since its answer was lost, are given back at once and held against nobody",
  async (match) => {
    const url = new URL(stores.postgresUrl("engine"));
    const proxy = await startProxy({ port: Number(url.port) });
    url.port = String(proxy.port);
    const cut = createPool({ url: url.href, application: "worker-test", max: 2, statementTimeoutMs: 8_000 });
    await insertJob(pool, rewardsJob(person));
    if (match === "claim_suspect") await pool.query("update persistence_retry_jobs set lost_leases = 2");
    proxy.set({ kind: "cut_before_reply", match }, 1);
    const lost = proxy.nextCut();
    const counters = createCounters();
    const signal = new WakeSignal(16);
    worker = startWorker({ pool: cut, settings: { ...SETTINGS, leaseMs: 600_000 }, signal, counters, workerId: "w1" });
    await lost;
    await gone();
    const { rows } = await pool.query(
      "select coalesce(sum(lost_leases), 0)::int as lost from persistence_retry_minute_counts where worker = 'w1'",
    );
    expect(rows).toEqual([{ lost: 0 }]);
    await worker.stop();
    worker = null;
    await cut.end();
    await proxy.close();
  },
);

test("a worker whose connections are cut comes back by itself, and no job is charged an attempt for it", async () => {
  start({ pollMs: 50 });
  for (let round = 0; round < 3; round += 1) {
    const admin = stores.pool("postgres", 1);
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
      [stores.database],
    );
    await insertJob(stores.pool("engine", 1), rewardsJob(person, { key: `after-cut-${round}` }));
    await until(async () => {
      const found = await admin.query("select 1");
      if (found.rowCount !== 1) return false;
      const { rows } = await stores
        .pool("engine", 1)
        .query("select count(*)::int as n from persistence_applied_keys where idempotency_key = $1", [
          `after-cut-${round}`,
        ]);
      return rows[0].n === 1;
    });
  }
});

test("a connection that is cut in the middle of a write uses up no attempt: the write lands by the next", async () => {
  const id = await insertJob(pool, rewardsJob(person, { key: "cut-in-the-middle" }));
  const holder = await stores.pool("engine", 1).connect();
  await holder.query("begin");
  await holder.query("select 1 from characters where character_id = $1 for update", [person.characterId]);
  start({ pollMs: 50 });
  await untilBlocked(holder, 1);
  const admin = stores.pool("postgres", 1);
  const waiters = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const { rows: cut } = await admin.query(`select pid, pg_terminate_backend(pid) ${waiters}`);
  await until(async () => {
    const { rows } = await admin.query(`select pid ${waiters}`);
    return rows.length === 1 && rows[0].pid !== cut[0].pid;
  });
  const { rows: row } = await pool.query("select attempt_count, last_error from persistence_retry_jobs");
  expect(row).toEqual([{ attempt_count: 0, last_error: null }]);
  await holder.query("rollback");
  holder.release();
  await gone();
  const { rows } = await pool.query("select 1 from persistence_retry_attempts where retry_job_id = $1", [id]);
  expect(rows).toEqual([]);
});

test("a failing job is retried after its backoff and ends as a dead letter", async () => {
  const id = await insertJob(pool, locationJob(person, { zoneId: "nowhere" }));
  start({ pollMs: 30 });
  await gone();
  const { rows } = await pool.query(
    "select failed_attempts from persistence_job_dead_letters where retry_job_id = $1",
    [id],
  );
  expect(rows).toEqual([{ failed_attempts: 3 }]);
});
