import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createRpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { claimSuspect } from "./persistence-retry/claim";
import { createCounters } from "./persistence-retry/counters";
import { judgeLostClaims } from "./persistence-retry/judge-lost-claims";
import { persistRetryJobBestEffort } from "./persistence-retry/persist-retry-job";
import { type EngineProcess, startEngineProcess } from "./testing/engine-process";
import { insertJob, insertLetter, newCharacter, rewardsJob } from "./testing/maker";
import { retrySettings } from "./testing/retry-settings";

// A process takes 2 s to start, and several times that where others use the machine.
vi.setConfig({ testTimeout: 90_000 });

let stores: TestStores;
let pool: pg.Pool;
let engine: EngineProcess | null = null;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
});
afterAll(() => stores.close());
afterEach(async () => {
  engine?.kill("SIGKILL");
  await engine?.ended;
  engine = null;
});

const SETTINGS = retrySettings({ attemptsMax: 8 });

function start(over: Record<string, string> = {}): EngineProcess {
  engine = startEngineProcess({
    BACKSTOP_ENGINE_DATABASE_URL: stores.postgresUrl("engine"),
    BACKSTOP_RPC_KEYS: stores.rpcKeys,
    PERSISTENCE_RETRY_POLL_MILLIS: "50",
    ...over,
  });
  return engine;
}
const one = async (sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows[0];
const goldOf = async (characterId: string) =>
  (await one("select gold from reward_balances where character_id = $1", characterId)).gold;

/** Takes the job as another worker does, once its lease has run out, and settles it. */
async function takeOver(id: string): Promise<string> {
  for (let tries = 0; tries < 1_600; tries += 1) {
    await judgeLostClaims(pool);
    const claim = await claimSuspect(pool, { worker: "heir", leaseMs: 30_000 });
    const [job] = claim.jobs;
    const deps = { pool, settings: SETTINGS, counters: createCounters() };
    if (job?.retryJobId === id) return persistRetryJobBestEffort(deps, claim, job);
    await sleep(25);
  }
  throw new Error("its lease did not run out within 40 s");
}

test.each(["apply.after", "settle.before_commit"])(
  "killed at %s: nothing of the write is there, and it lands once later",
  async (point) => {
    const person = await newCharacter(pool);
    const id = await insertJob(pool, rewardsJob(person));
    const killed = start({
      BACKSTOP_FAILPOINTS: `${point}=kill`,
      PERSISTENCE_RETRY_LEASE_MILLIS: "1500",
      PERSISTENCE_RETRY_TRANSACTION_MILLIS: "1000",
    });
    expect(await killed.ended).toBe("SIGKILL");
    expect(await goldOf(person.characterId)).toBe("100");
    const row = await one("select attempt_count from persistence_retry_jobs where retry_job_id = $1", id);
    expect(row).toEqual({ attempt_count: 0 });
    expect(await takeOver(id)).toBe("done");
    expect(await goldOf(person.characterId)).toBe("340");
  },
);

test("killed after the commit: the write and its settle are both there", async () => {
  const person = await newCharacter(pool);
  const id = await insertJob(pool, rewardsJob(person));
  expect(await start({ BACKSTOP_FAILPOINTS: "settle.after_commit=kill" }).ended).toBe("SIGKILL");
  expect(await goldOf(person.characterId)).toBe("340");
  expect(await one("select 1 from persistence_retry_jobs where retry_job_id = $1", id)).toBeUndefined();
});

test("frozen in the middle of a write past its lease, then thawed: it changes nothing, is counted, and lives on", async () => {
  const person = await newCharacter(pool);
  const id = await insertJob(pool, rewardsJob(person));
  const frozen = start({
    BACKSTOP_FAILPOINTS: "apply.after=freeze@1",
    PERSISTENCE_RETRY_LEASE_MILLIS: "2000",
    PERSISTENCE_RETRY_TRANSACTION_MILLIS: "1000",
  });
  await frozen.event("failpoint");
  expect(await takeOver(id)).toBe("done");
  const after = await goldOf(person.characterId);
  frozen.kill("SIGCONT");
  const stale = await frozen.event("stale_settle");
  expect(stale).toMatchObject({ retry_job_id: id });
  expect(await goldOf(person.characterId)).toBe(after);
  expect(after).toBe("340");
  await sleep(100);
  const counts = await one(
    "select sum(stale_settles)::int as n from persistence_retry_minute_counts where worker = $1",
    stale.worker,
  );
  expect(counts).toEqual({ n: 1 });
  const next = await newCharacter(pool);
  await insertJob(pool, rewardsJob(next));
  for (let tries = 0; (await goldOf(next.characterId)) !== "340" && tries < 400; tries += 1) await sleep(25);
  expect(await goldOf(next.characterId)).toBe("340");
});

test("killed between the commit of a requeue and its answer: unknown to the caller, read back as requeued, one job", async () => {
  const letter = await insertLetter(pool, rewardsJob(await newCharacter(pool), { zoneId: "nowhere" }));
  const clientOf = async (process: EngineProcess) =>
    createRpcClient({
      engineUrl: `http://127.0.0.1:${await process.ready}`,
      audience: "engine.backstop.internal",
      keys: parseRpcKeys(stores.rpcKeys),
    });
  const killed = start({ BACKSTOP_FAILPOINTS: "requeue.after_commit=kill" });
  const operationId = crypto.randomUUID();
  const lost = await (await clientOf(killed)).requeueBatch(operationId, [{ dead_letter_id: letter }], "op");
  expect(lost.kind).toBe("unknown");
  expect(await killed.ended).toBe("SIGKILL");
  const again = await clientOf(start());
  const read = await again.readOperation(operationId);
  expect(read).toMatchObject({ kind: "ok", value: { answers: [{ answer: "requeued", dead_letter_id: letter }] } });
  const repeated = await again.requeueBatch(operationId, [{ dead_letter_id: letter }], "op");
  expect(repeated).toMatchObject({ kind: "ok", value: { answers: read.kind === "ok" ? read.value.answers : [] } });
  expect(await one("select count(*)::int as n from persistence_retry_jobs where requeued_from = $1", letter)).toEqual({
    n: 1,
  });
});

test("SIGTERM: it stops within 10 s with code 0 and leaves no lease", async () => {
  const stopping = start();
  await stopping.ready;
  await insertJob(pool, rewardsJob(await newCharacter(pool)));
  const startedMs = performance.now();
  stopping.kill("SIGTERM");
  expect(await stopping.ended).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  const { worker } = await stopping.event("worker_started");
  expect(await one("select count(*)::int as n from persistence_retry_jobs where lease_owner = $1", worker)).toEqual({
    n: 0,
  });
});

test("SIGTERM while it still starts: it stops as it would later, with code 0", async () => {
  const starting = start();
  await starting.event("worker_started");
  starting.kill("SIGTERM");
  expect(await starting.ended).toBe(0);
});

test("with the seed's routes only: nothing of the game is made or worked off, and the answer is 404 beside them", async () => {
  const bare = await openStores("bare");
  const barePool = bare.pool("engine");
  try {
    await barePool.query(
      readFileSync(new URL("migrations/game/0011_persistence_retry_jobs.sql", import.meta.url), "utf8"),
    );
    const person = { characterId: crypto.randomUUID(), realmId: "aurelia", zoneId: "z", version: "7" };
    await insertJob(barePool, rewardsJob(person));
    const seed = start({ BACKSTOP_ENGINE_DATABASE_URL: bare.postgresUrl("engine"), BACKSTOP_ENGINE_ROUTES: "seed" });
    const port = await seed.ready;
    expect((await fetch(`http://127.0.0.1:${port}/v1/internal/info`)).status).toBe(404);
    await sleep(300);
    const { rows } = await barePool.query(
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'internal_rpc%' order by 1",
    );
    expect(rows.map((row) => row.relname)).toEqual(["persistence_job_dead_letters", "persistence_retry_jobs"]);
    const { rows: jobs } = await barePool.query("select attempt_count, lease_token from persistence_retry_jobs");
    expect(jobs).toEqual([{ attempt_count: 0, lease_token: null }]);
  } finally {
    engine?.kill("SIGKILL");
    await bare.close();
  }
});

test("an environment that is wrong is told in one line that names it, with code 1", async () => {
  const wrong = start({ BACKSTOP_RPC_KEYS: "" });
  await expect(wrong.ready).rejects.toThrow("BACKSTOP_RPC_KEYS is missing");
  expect(await wrong.ended).toBe(1);
});
