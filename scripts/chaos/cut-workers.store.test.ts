import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { requeueOne } from "@/lib/engine/persistence-retry";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { startWorker } from "@/lib/engine/persistence-retry/worker";
import { checkConservation, newBook } from "@/lib/engine/testing/conservation";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { startProxy, type TestProxy } from "@/scripts/testing/proxy";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";
import { startProducer } from "./producer";
import { createRandom } from "./random";
import { newTally } from "./tally";
import { makeWorld, mendAll } from "./world";

let stores: TestStores;
let pool: pg.Pool;
let proxy: TestProxy;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 4);
  proxy = await startProxy({ port: Number(new URL(stores.postgresUrl("engine")).port) });
});
afterAll(async () => {
  await proxy.close();
  await stores.close();
});

const CUTS = 20;
const MATCHES = [
  "claim_due",
  "settle_lock",
  "apply_take_key",
  "settle_done",
  "settle_failed",
  "settle_dead",
  "commit\0",
];
const SETTINGS = retrySettings({
  leaseMs: 2_000,
  transactionTimeoutMs: 1_000,
  leaseMarginMs: 200,
  pollMs: 20,
  batchMax: 8,
  attemptsMax: 2,
});

function startCutWorker(name: string) {
  const url = new URL(stores.postgresUrl("engine"));
  url.port = String(proxy.port);
  const own = new pg.Pool({ connectionString: url.href, max: 2, query_timeout: 10_000 });
  own.on("error", () => {});
  const [signal, counters] = [new WakeSignal(10), createCounters()];
  const worker = startWorker({ pool: own, settings: SETTINGS, signal, counters, workerId: name });
  return async () => {
    await worker.stop();
    await own.end();
  };
}

test("workers whose connections are cut again and again, in the middle of anything, lose nothing and do nothing twice", async () => {
  const seed = randomInt(1_000_000);
  const [random, book] = [createRandom(seed), newBook()];
  const world = await makeWorld(pool);
  const producer = startProducer({ pool, world, book, tally: newTally(), random });
  const stops = ["one", "two"].map(startCutWorker);
  const nothingWaits = async () => {
    const { rows } = await pool.query("select count(*)::int as n from persistence_retry_jobs");
    return rows[0].n === 0;
  };
  for (let done = 0; done < CUTS; done += 1) {
    const cut = proxy.nextCut();
    const kind = random.pick(["cut_before_request", "cut_before_reply"] as const);
    proxy.set({ kind, match: random.pick(MATCHES) }, 1);
    await Promise.race([cut, sleep(1_500)]);
    proxy.set({ kind: "pass" });
    await sleep(random.int(0, 100));
  }
  await producer.stop();
  expect(proxy.seen().cuts).toBeGreaterThan(CUTS / 2);
  await until(nothingWaits, 60_000);
  // In the middle of it: letters of those that failed, and no more than these.
  const middle = await checkConservation(pool, book);
  expect({ seed, violations: middle.violations }).toEqual({ seed, violations: [] });
  expect(middle.dead).toBeGreaterThan(0);
  await mendAll(pool, world);
  const { rows } = await pool.query("select dead_letter_id from persistence_job_dead_letters");
  for (const { dead_letter_id } of rows) await requeueOne(pool, { deadLetterId: dead_letter_id, actor: "a" });
  await until(nothingWaits, 60_000);
  for (const stop of stops) await stop();
  const end = await checkConservation(pool, book);
  expect({ seed, ...end }).toEqual({ seed, violations: [], live: 0, dead: 0, done: middle.done + middle.dead });
}, 180_000);
