import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseEngineConfig } from "@/lib/config-engine";
import { createRpcClient, type RpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { type Engine, startEngine } from "./start";
import { insertLetter, locationJob, newCharacter, rewardsJob } from "./testing/maker";

// The whole engine on an empty store, spoken to over its signed endpoints.
vi.setConfig({ testTimeout: 60_000 });

let stores: TestStores;
let pool: pg.Pool;
let engine: Engine;
let client: RpcClient;
beforeAll(async () => {
  stores = await openStores("bare");
  pool = stores.pool("engine");
  const config = parseEngineConfig({
    BACKSTOP_ENGINE_DATABASE_URL: stores.postgresUrl("engine"),
    BACKSTOP_RPC_KEYS: stores.rpcKeys,
    BACKSTOP_SECRET: stores.backstopSecret,
    BACKSTOP_DEMO: "1",
    PERSISTENCE_RETRY_POLL_MILLIS: "100",
    PERSISTENCE_RETRY_BACKOFF_MILLIS: "10",
  });
  engine = await startEngine(config);
  client = createRpcClient({
    engineUrl: `http://127.0.0.1:${engine.port}`,
    audience: config.rpcAudience,
    keys: parseRpcKeys(stores.rpcKeys),
  });
});
afterAll(async () => {
  await engine.stop();
  await stores.close();
});

async function value<T>(result: Promise<{ kind: "ok"; value: T } | { kind: string }>): Promise<T> {
  const ended = await result;
  if (!("value" in ended)) throw new Error(JSON.stringify(ended));
  return ended.value;
}
async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const found = await read();
    if (found !== undefined) return found;
    await sleep(40);
  }
  throw new Error("it did not come to that within 40 s");
}

test("it says what it is and which routes it offers", async () => {
  const info = await value(client.info());
  expect(info).toMatchObject({
    rpc_version: 1,
    lease_seconds: 10,
    retry_limit: 4,
    backoff_ms: 10,
    backoff_cap_ms: 60_000,
  });
  expect(info.routes).toHaveLength(12);
});

test("from the break on the first start to recovered: preflight, requeue, outcome, and what the payload says", async () => {
  await until(async () => (await value(client.demo.state())).broken_since ?? undefined);
  const letter = await until(async () => (await value(client.inspect(1))).dead_letters[0]);
  expect(letter.error).toMatch(/^ERROR 23503/);
  expect((await value(client.demo.mendCatalog("op"))).broken_since).toBeNull();
  const id = letter.dead_letter_id;
  const [facts] = (await value(client.preflight([id], "op"))).facts;
  const operationId = randomUUID();
  const items = [{ dead_letter_id: id, expect: { character_version: facts?.character?.version } }];
  const { answers } = await value(client.requeueBatch(operationId, items, "op"));
  expect(answers).toMatchObject([{ answer: "requeued" }]);
  expect((await value(client.readOperation(operationId))).answers).toEqual(answers);
  const outcome = await until(async () => {
    const { rows } = await pool.query("select outcome from persistence_retry_outcomes where dead_letter_id = $1", [id]);
    return rows[0]?.outcome as string | undefined;
  });
  expect(outcome).toBe("recovered");
  const [after] = (await value(client.preflight([id], "op"))).facts;
  expect(after?.fields.map((field) => field.now)).toEqual(facts?.fields.map((field) => field.after));
  expect(after?.requeued).toMatchObject({ operation_id: operationId, actor: "op" });
});

test("the seed's requeue: once, then false with the job's id; unknown: false; undecodable: 422 and nothing changed", async () => {
  const person = await newCharacter(pool);
  const letter = await insertLetter(pool, rewardsJob(person));
  const by = () => ({ operationId: randomUUID(), actor: "op" });
  const first = await value(client.requeueOne(letter, by()));
  expect(first.requeued).toBe(true);
  expect(await value(client.requeueOne(letter, by()))).toEqual({ requeued: false, retry_job_id: first.retry_job_id });
  expect(await value(client.requeueOne(randomUUID(), by()))).toEqual({ requeued: false, retry_job_id: null });
  const broken = await insertLetter(pool, rewardsJob(person), { payload: "{}" });
  expect(await client.requeueOne(broken, by())).toMatchObject({ kind: "refused", status: 422, code: "undecodable" });
});

test("an operation that comes with another expectation is 409; one that was never here is 404 with the clock", async () => {
  const letter = await insertLetter(pool, locationJob(await newCharacter(pool)));
  const operationId = randomUUID();
  const missing = await client.readOperation(operationId);
  expect(missing).toMatchObject({ kind: "refused", code: "operation_not_found", serverTime: expect.any(String) });
  const stale = [{ dead_letter_id: letter, expect: { character_version: "1" } }];
  const { answers } = await value(client.requeueBatch(operationId, stale, "op"));
  expect(answers).toMatchObject([{ answer: "changed" }]);
  const other = [{ dead_letter_id: letter, expect: { character_version: "7" } }];
  const mismatch = { kind: "refused", status: 409, code: "operation_mismatch" };
  expect(await client.requeueBatch(operationId, other, "op")).toMatchObject(mismatch);
});

test("somebody who looks keeps the world awake", async () => {
  await pool.query("update demo_world set viewer_seen_at = clock_timestamp() - interval '1 hour'");
  expect((await value(client.demo.state())).idle).toBe(true);
  expect((await value(client.demo.noteViewer())).idle).toBe(false);
});
