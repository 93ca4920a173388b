import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRpcClient, type RpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { Child } from "@/scripts/services/child";
import { pickPort } from "@/scripts/services/ports";
import { isAlive, processesWith } from "@/scripts/services/processes";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";

// An engine as the product keeps it: ended, it is started again. A start takes 2 s, and several times that where others
// use the machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const LEASE_MS = 3_000;
const WITHIN_MS = 90_000;
const THAWER = new URL("thaw.mjs", import.meta.url).pathname;

let stores: TestStores;
let pool: pg.Pool;
let child: Child;
let client: RpcClient;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
  lines = [];
  const port = await pickPort();
  child = new Child({
    name: "engine",
    args: () => ["--import", "./scripts/services/end-with-parent.mjs", "--import", "tsx", "lib/engine/main.ts"],
    env: () => ({
      NODE_ENV: "test",
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      BACKSTOP_ENGINE_DATABASE_URL: stores.postgresUrl("engine"),
      BACKSTOP_ENGINE_PORT: String(port),
      BACKSTOP_RPC_KEYS: stores.rpcKeys,
      BACKSTOP_DEMO: "1",
      PERSISTENCE_RETRY_POLL_MILLIS: "200",
      PERSISTENCE_RETRY_LEASE_MILLIS: String(LEASE_MS),
      PERSISTENCE_RETRY_TRANSACTION_MILLIS: "1000",
    }),
    cwd: process.cwd(),
    graceMs: 3_000,
    onLine: (line) => {
      if (line.startsWith("{")) lines.push(JSON.parse(line));
    },
    log: (line) => lines.push({ event: "supervisor", line }),
  });
  child.start();
  client = createRpcClient({
    engineUrl: `http://127.0.0.1:${port}`,
    audience: "engine.backstop.internal",
    keys: parseRpcKeys(stores.rpcKeys),
    bounds: { callTimeoutMs: 2_000 },
  });
  await until(async () => (await client.info()).kind === "ok", WITHIN_MS);
  // The catalog is broken on the very first start; here that is in the way.
  await until(async () => (await count("demo_breaks")) === 1, WITHIN_MS);
  await client.demo.mendCatalog("op");
});
afterEach(async () => {
  child.kill();
  await stores.close();
});

const count = async (what: string) => (await pool.query(`select count(*)::int as n from ${what}`)).rows[0].n as number;
const seen = (event: string) => lines.filter((line) => line.event === event);
const logged = (event: string) => until(async () => seen(event).length > 0, WITHIN_MS);
const OWN = "retry_job_id in (select retry_job_id from demo_fault_writes)";

async function begin(fault: "worker_frozen" | "poison"): Promise<void> {
  const answer = await client.demo.beginFault(fault, "op");
  expect(answer).toMatchObject({ kind: "ok", value: { fault: { fault, writes_max: 4 } } });
}

test("frozen past its lease: it does not answer, its leases run out; thawed, its late settle is refused, and all is done once", async () => {
  await begin("worker_frozen");
  await logged("demo_frozen");
  const pid = child.pid();
  expect((await client.info()).kind).not.toBe("ok");
  await until(
    async () => (await count(`persistence_retry_jobs where ${OWN} and lease_expires_at <= now()`)) === 4,
    WITHIN_MS,
  );
  expect(seen("demo_thawed")).toEqual([]);
  await logged("demo_thawed");
  await logged("stale_settle");
  await until(async () => (await count(`persistence_retry_jobs where ${OWN}`)) === 0, WITHIN_MS);
  // Nobody took it for dead: it is the same process.
  expect([child.pid(), seen("supervisor")]).toEqual([pid, []]);
  const [held] = seen("demo_frozen");
  expect(seen("stale_settle")).toMatchObject([{ retry_job_id: held?.retry_job_id }]);
  expect(seen("suspect")).toMatchObject([{ retry_job_id: held?.retry_job_id, lost_leases: 1 }]);
  expect(await count("persistence_retry_minute_counts where stale_settles = 1")).toBe(1);
  expect(await count(`persistence_applied_keys where ${OWN}`)).toBe(4);
  expect(await count("persistence_job_dead_letters where error like 'poison%'")).toBe(0);
  await until(async () => {
    const state = await client.demo.state();
    return state.kind === "ok" && state.value.fault === null;
  }, WITHIN_MS);
  await until(async () => processesWith(THAWER).length === 0, 5_000);
  expect(await count("demo_faults where ended_by = 'system' and frozen_at is not null")).toBe(1);
});

test("stopped while frozen: it is gone, and so is whoever would have thawed it", async () => {
  await begin("worker_frozen");
  await logged("demo_frozen");
  const pid = child.pid() ?? 0;
  await until(async () => processesWith(THAWER).length === 1, 5_000);
  await child.stop();
  expect(isAlive(pid)).toBe(false);
  await until(async () => processesWith(THAWER).length === 0, 2_000);
});

test("a payload that kills: after three lost leases it is a letter, unrun; the rest of its batch and the world go on; mended, it recovers", async () => {
  await begin("poison");
  await until(async () => (await count("persistence_job_dead_letters where error like 'poison:%'")) === 1, WITHIN_MS);
  expect(seen("demo_killed")).toHaveLength(3);
  expect(seen("supervisor").filter(({ line }) => String(line).includes("SIGKILL"))).toHaveLength(3);
  await until(async () => (await count(`persistence_retry_jobs where ${OWN}`)) === 0, WITHIN_MS);
  const { rows } = await pool.query(
    `select error, failed_attempts, dead_letter_id, retry_job_id from persistence_job_dead_letters where ${OWN}`,
  );
  expect(rows).toMatchObject([{ error: "poison: 3 leases lost without a recorded failure", failed_attempts: 0 }]);
  const [{ retry_job_id: killer, dead_letter_id: letter }] = rows;
  expect(new Set(seen("demo_killed").map((line) => line.retry_job_id))).toEqual(new Set([killer]));
  expect(await count(`persistence_applied_keys where ${OWN}`)).toBe(3);
  const writes = await count("persistence_applied_keys");
  await until(async () => (await count("persistence_applied_keys")) > writes, WITHIN_MS);
  // Alive for longer than a lease, with the letter and the fault both there.
  await sleep(LEASE_MS + 1_000);
  expect(seen("demo_killed")).toHaveLength(3);
  expect(await client.demo.endFault("poison", "op")).toMatchObject({ kind: "ok", value: { fault: null } });
  expect(await client.requeueOne(letter, { operationId: crypto.randomUUID(), actor: "op" })).toMatchObject({
    kind: "ok",
    value: { requeued: true },
  });
  await until(async () => (await count("persistence_retry_outcomes where outcome = 'recovered'")) === 1, WITHIN_MS);
  expect(seen("demo_killed")).toHaveLength(3);
});
