import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { requeueOne } from "@/lib/engine/persistence-retry/requeue-one";
import { startWorker } from "@/lib/engine/persistence-retry/worker";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { readDemoState } from "@/lib/engine/world";
import { everyday } from "@/lib/engine/world/everyday";
import { pickCharacters } from "@/lib/engine/world/pick-characters";
import { seedWorld } from "@/lib/engine/world/seed";
import { overlapping } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";
import { beginFault, endFault, endLeftoverFault, runFaults, workerSwitch } from ".";

vi.setConfig({ testTimeout: 120_000 });

let stores: TestStores;
let pool: pg.Pool;
const engines: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 14);
  await seedWorld(pool);
});
afterAll(() => stores.close());
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
  await endFault(pool, null, "the next test");
  await pool.query("delete from persistence_retry_jobs");
  await pool.query("update persistence_job_dead_letters set requeued_at = clock_timestamp() - interval '1 hour'");
});

/** The demo's part of one engine: its worker and its faults, without the routes. */
function startDemoEngine() {
  const stop = new AbortController();
  const signal = new WakeSignal(64);
  const deps = { pool, signal, counters: createCounters(), secret: null };
  const settings = retrySettings({ attemptsMax: 3, transactionTimeoutMs: 1_000, leaseMs: 4_000, leaseMarginMs: 400 });
  let starts = 0;
  const worker = workerSwitch(() => {
    starts += 1;
    signal.open();
    return startWorker({ pool, settings, signal, counters: deps.counters, workerId: `w${engines.length}` });
  });
  const running = runFaults({ ...deps, url: stores.postgresUrl("engine"), worker }, stop.signal);
  const engine = {
    deps,
    starts: () => starts,
    async stop() {
      stop.abort();
      await running;
    },
  };
  engines.push(engine);
  return engine;
}
const rows = async (sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows;
const count = async (what: string) => (await rows(`select count(*)::int as n from ${what}`))[0].n as number;
const holders = () =>
  count("pg_stat_activity where application_name = 'engine-demo-lock' and datname = current_database()");
const mayInsert = async () =>
  (await rows("select has_table_privilege(current_user, 'reward_ledger', 'insert') as may"))[0].may as boolean;
const WITHIN_MS = 60_000;

test("locked rows: their writes wait with the database's own lock timeout, the others go on, and let go all are done", async () => {
  const { deps } = startDemoEngine();
  await beginFault(pool, "row_lock", "op");
  await until(
    async () => (await count("persistence_retry_jobs where last_error like 'ERROR 55P03:%'")) >= 2,
    WITHIN_MS,
  );
  expect(await holders()).toBe(1);
  // Everyday life does not go near them: it would wait for a lock, five times in turn.
  const concerned = await rows(
    "select character_id from demo_fault_writes w join demo_faults f using (fault_id) where f.ended_at is null",
  );
  const free = new Set((await pickCharacters(pool, 200)).map(({ characterId }) => characterId));
  expect(concerned.filter(({ character_id }) => free.has(character_id))).toEqual([]);
  for (let moment = 0; moment < 4; moment += 1) expect(await everyday(deps, 5)).toBe(5);
  expect(
    await count(
      "persistence_retry_jobs where last_error is not null and retry_job_id not in (select retry_job_id from demo_fault_writes where retry_job_id is not null)",
    ),
  ).toBe(0);
  expect((await readDemoState(pool)).fault).toMatchObject({
    fault: "row_lock",
    writes_max: 8,
    ends_at: expect.any(String),
  });
  await endFault(pool, null, "op");
  await until(async () => (await holders()) === 0 && (await count("persistence_retry_jobs")) === 0, WITHIN_MS);
  expect(await count("demo_fault_writes w join demo_faults f using (fault_id) where f.fault = 'row_lock'")).toBe(8);
});

test("locked rows are let go when their time is over, and when their engine dies; the next life holds them again", async () => {
  const first = startDemoEngine();
  await beginFault(pool, "row_lock", "op");
  await until(async () => (await holders()) === 1, WITHIN_MS);
  await first.stop();
  expect(await holders()).toBe(0);
  startDemoEngine();
  startDemoEngine();
  await until(async () => (await holders()) >= 1, WITHIN_MS);
  await sleep(1_500);
  const locks = await count(
    "pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())",
  );
  expect(locks).toBe(1);
  await rows("update demo_faults set ends_at = clock_timestamp() where ended_at is null");
  await until(async () => (await readDemoState(pool)).fault === null, WITHIN_MS);
  await until(async () => (await holders()) === 0, WITHIN_MS);
  expect(await rows("select ended_by from demo_faults order by fault_id desc limit 1")).toEqual([
    { ended_by: "system" },
  ]);
});

test("a right that is gone: only the fault's own rewards die of it, in the database's words; a restart neither mends nor keeps it", async () => {
  const first = startDemoEngine();
  await beginFault(pool, "missing_right", "op");
  expect(await mayInsert()).toBe(false);
  await until(async () => {
    await everyday(first.deps, 3);
    return (await readDemoState(pool)).fault?.letters === 24;
  }, WITHIN_MS);
  const letters = await rows(
    "select dead_letter_id, job_kind, error, retry_job_id in (select retry_job_id from demo_fault_writes) as own from persistence_job_dead_letters where requeued_at is null",
  );
  expect(letters).toHaveLength(24);
  for (const letter of letters)
    expect(letter).toMatchObject({
      own: true,
      job_kind: "combat_rewards",
      error: "ERROR 42501: permission denied for table reward_ledger",
    });
  await first.stop();
  startDemoEngine();
  await sleep(1_200);
  expect((await readDemoState(pool)).fault).toMatchObject({ fault: "missing_right" });
  expect(await mayInsert()).toBe(false);
  expect(await endFault(pool, null, "op")).toBe("ended");
  expect(await mayInsert()).toBe(true);
  const [letter] = letters;
  await requeueOne(pool, { deadLetterId: letter.dead_letter_id, actor: "op", startByMs: Date.now() + 60_000 });
  await until(async () => (await count("persistence_retry_outcomes where outcome = 'recovered'")) === 1, WITHIN_MS);
});

test("an engine that starts without the demo grants what the demo had revoked, and minds no store without one", async () => {
  await beginFault(pool, "missing_right", "op");
  expect(await mayInsert()).toBe(false);
  await endLeftoverFault(pool);
  expect(await mayInsert()).toBe(true);
  expect(await count("demo_faults where ended_at is null")).toBe(0);
  const bare = await openStores("bare");
  await endLeftoverFault(bare.pool("engine"));
  await bare.close();
});

test("a stopped worker: due rows wait, bounded, and nothing is leased, in every engine and after a restart, until it is started", async () => {
  const first = startDemoEngine();
  const second = startDemoEngine();
  await until(async () => first.starts() === 1 && second.starts() === 1, WITHIN_MS);
  await beginFault(pool, "worker_stopped", "op");
  await until(async () => (await readDemoState(pool)).fault?.writes === 40, WITHIN_MS);
  await first.stop();
  const third = startDemoEngine();
  await everyday(third.deps, 10);
  await sleep(1_500);
  expect(third.starts()).toBe(0);
  expect(await count("persistence_retry_jobs")).toBe(40);
  expect(await count("persistence_retry_jobs where lease_token is not null")).toBe(0);
  await endFault(pool, null, "op");
  await until(async () => (await count("persistence_retry_jobs")) === 0, WITHIN_MS);
  expect([second.starts(), third.starts()]).toEqual([2, 1]);
  expect(await count("persistence_job_dead_letters where requeued_at is null")).toBe(0);
});

test("of two faults at once one is made, and mending twice mends once", async () => {
  const lock = { text: "lock table demo_faults in exclusive mode", values: [] };
  const settled = await overlapping(pool, lock, [
    () => beginFault(pool, "worker_stopped", "a"),
    () => beginFault(pool, "missing_right", "b"),
  ]);
  expect(settled.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason))).sort()).toEqual([
    "begun",
    "other",
  ]);
  expect(await count("demo_faults where ended_at is null")).toBe(1);
  const ends = await overlapping(pool, lock, [() => endFault(pool, null, "a"), () => endFault(pool, null, "b")]);
  expect(ends.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason))).sort()).toEqual([
    "ended",
    "none",
  ]);
  expect(await mayInsert()).toBe(true);
});
