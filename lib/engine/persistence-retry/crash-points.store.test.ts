import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import type { Failpoint } from "@/lib/engine/failpoint";
import { effectState, stateAfterOne } from "@/lib/engine/testing/effect-state";
import { insertJob, insertLetter, newCharacter } from "@/lib/engine/testing/maker";
import { ONE_OF_EACH_KIND } from "@/lib/engine/testing/one-of-each-kind";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { takeOver } from "@/lib/engine/testing/take-over";
import { type ProxyMode, startProxy, type TestProxy } from "@/scripts/testing/proxy";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { requeueOne } from ".";
import { claimDue } from "./claim";
import { createCounters } from "./counters";
import type { PersistenceRetryJob } from "./payload/decode";
import { persistRetryJobBestEffort } from "./persist-retry-job";
import { newRetryJob, queuePersistenceRetryJobDurableWithMetrics } from "./queue";

vi.setConfig({ testTimeout: 60_000 });

let stores: TestStores;
let pool: pg.Pool;
let proxy: TestProxy;
/** Of the worker that crashes: its connections go through the proxy. */
let doomed: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 4);
  const url = new URL(stores.postgresUrl("engine"));
  proxy = await startProxy({ port: Number(url.port) });
  url.port = String(proxy.port);
  doomed = new pg.Pool({ connectionString: url.href, max: 2 });
  doomed.on("error", () => {});
});
afterAll(async () => {
  await doomed.end();
  await proxy.close();
  await stores.close();
});
afterEach(() => proxy.set({ kind: "pass" }));

const SETTINGS = retrySettings({ leaseMs: 60_000, attemptsMax: 8, transactionTimeoutMs: 2_000 });
const worker = (of: pg.Pool, over = {}) => ({
  pool: of,
  settings: { ...SETTINGS, ...over },
  counters: createCounters(),
});
const ask = (name: string) => ({ worker: name, leaseMs: SETTINGS.leaseMs, rowsMax: 128 });
const count = async (where: string) =>
  (await pool.query(`select count(*)::int as n from ${where}`)).rows[0].n as number;

/** Queues it and works on it until the connection is cut where `mode` says. */
async function workUntilCut(job: PersistenceRetryJob, mode: ProxyMode, over = {}): Promise<void> {
  await insertJob(pool, job);
  const claim = await claimDue(doomed, ask("doomed"));
  proxy.set(mode, 1);
  for (const claimed of claim.jobs) {
    await expect(persistRetryJobBestEffort(worker(doomed, over), claim, claimed)).rejects.toThrow();
  }
}

const COMMIT = "commit\0";
/** What each crash point is on the wire: the last thing that the server has seen, or answered, of a worker that is no more. */
const CRASHES: Record<Failpoint, (job: PersistenceRetryJob) => Promise<void>> = {
  async "queue.after_insert"(job) {
    const queue = { pool: doomed, signal: new WakeSignal(1), counters: createCounters() };
    proxy.set({ kind: "cut_before_reply", match: "queue_retry_job" }, 1);
    const row = newRetryJob(randomUUID(), job, null);
    await expect(queuePersistenceRetryJobDurableWithMetrics(queue, row)).rejects.toThrow();
  },
  async "claim.after"(job) {
    await insertJob(pool, job);
    proxy.set({ kind: "cut_before_reply", match: "claim_due" }, 1);
    await expect(claimDue(doomed, ask("doomed"))).rejects.toThrow();
    expect(await count("persistence_retry_jobs where lease_owner = 'doomed'")).toBe(1);
  },
  "apply.before": (job) => workUntilCut(job, { kind: "cut_before_request", match: "apply_take_key" }),
  "apply.after": (job) => workUntilCut(job, { kind: "cut_before_request", match: "settle_done" }),
  "settle.before_commit": (job) => workUntilCut(job, { kind: "cut_before_reply", match: "settle_done" }),
  "settle.after_commit": (job) => workUntilCut(job, { kind: "cut_before_reply", match: COMMIT }),
  async "failure.before_commit"(job) {
    // Every kind takes its character's row first; one that somebody holds fails it, whatever the kind.
    const holder = await pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from characters where character_id = $1 for update", [job.payload.characterId]);
    await workUntilCut(job, { kind: "cut_before_reply", match: "settle_failed" }, { transactionTimeoutMs: 100 });
    await holder.query("rollback");
    holder.release();
  },
  async "requeue.before_commit"(job) {
    const deadLetterId = await insertLetter(pool, job);
    proxy.set({ kind: "cut_before_reply", match: "operation_record_answers" }, 1);
    await expect(requeueOne(doomed, { deadLetterId, actor: "a" })).rejects.toThrow();
    expect(await count("persistence_retry_jobs")).toBe(0);
    expect(await requeueOne(pool, { deadLetterId, actor: "a" })).toMatchObject({ kind: "requeued" });
  },
  async "requeue.after_commit"(job) {
    const deadLetterId = await insertLetter(pool, job);
    proxy.set({ kind: "cut_before_reply", match: COMMIT }, 1);
    await expect(requeueOne(doomed, { deadLetterId, actor: "a" })).rejects.toThrow();
    expect(await requeueOne(pool, { deadLetterId, actor: "a" })).toMatchObject({ kind: "already_requeued" });
  },
};

const POINTS = Object.entries(CRASHES);

test.each(Object.entries(ONE_OF_EACH_KIND))(
  "%s: its worker is lost at each point, and it is delivered once more: the character is as after one delivery",
  async (_kind, make) => {
    for (const [point, crash] of POINTS) {
      const person = await newCharacter(pool);
      const job = await make(pool, person);
      const once = await stateAfterOne(pool, job);
      const before = await effectState(pool, person.characterId);
      expect([point, before]).not.toEqual([point, once]);
      const { cuts } = proxy.seen();
      await crash(job);
      expect([point, proxy.seen().cuts]).toEqual([point, cuts + 1]);
      await takeOver(pool);
      expect([point, await effectState(pool, person.characterId)]).toEqual([point, once]);
      await insertJob(pool, job);
      await takeOver(pool);
      expect([point, await effectState(pool, person.characterId)]).toEqual([point, once]);
      expect(await count(`persistence_applied_keys where idempotency_key = '${job.idempotency.key}'`)).toBe(1);
      expect(await count("persistence_job_dead_letters where requeued_at is null")).toBe(0);
    }
  },
);
