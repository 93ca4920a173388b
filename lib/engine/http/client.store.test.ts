import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPool } from "@/lib/db/pg";
import { createRpcClient, type RpcClientOptions } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { startProxy, type TestProxy } from "@/scripts/testing/proxy";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import type { EngineHandlers } from "./handlers";
import { createNonceStore } from "./nonces";
import { type HttpOptions, type RunningHttp, startHttp } from "./server";
import { AUDIENCE, JOB, LETTER, NOW, newKey, notingHandlers } from "./testing";

// The client and the server of these endpoints, the one calling the other.

const OPERATION = "01900000-0000-7000-8000-00000000000f";
const rpcKeys = `${newKey("new")},${newKey("old")}`;
let stores: TestStores;
let pool: Pool;
let http: RunningHttp;
let proxy: TestProxy;
let handled: ReturnType<typeof notingHandlers>;

beforeAll(async () => {
  stores = await openStores();
  const url = stores.postgresUrl("engine");
  pool = createPool({ url, application: "rpc-client-test", max: 5, statementTimeoutMs: 5_000 });
});
afterAll(async () => {
  await pool.end();
  await stores.close();
});
beforeEach(() => start());
afterEach(stop);

async function start(over: Partial<HttpOptions> = {}, handlers: Partial<EngineHandlers> = {}): Promise<void> {
  handled = notingHandlers(handlers);
  const nonces = createNonceStore(pool);
  http = await startHttp({
    port: 0,
    audience: AUDIENCE,
    rpcKeys,
    nonces,
    handlers: handled.handlers,
    log: () => {},
    ...over,
  });
  proxy = await startProxy({ port: http.port });
}
async function stop(): Promise<void> {
  await proxy.close();
  await http.close();
}
async function restart(...how: Parameters<typeof start>): Promise<void> {
  await stop();
  await start(...how);
}

const client = (over: Partial<RpcClientOptions> = {}) =>
  createRpcClient({
    engineUrl: `http://127.0.0.1:${proxy.port}`,
    audience: AUDIENCE,
    keys: parseRpcKeys(rpcKeys),
    bounds: { connectTimeoutMs: 1_000, callTimeoutMs: 2_000 },
    ...over,
  });
const requeue = (over: Partial<RpcClientOptions> = {}) =>
  client(over).requeueOne(LETTER, { operationId: OPERATION, actor: "user-7" });

test("each method reaches its handler and its answer comes back", async () => {
  await restart({}, { readOperation: async () => ({ kind: "found", server_time: NOW, answers: [] }) });
  const rpc = client();
  const results = [
    await rpc.info(),
    await rpc.inspect(7),
    await rpc.preflight([LETTER], "user-7"),
    await rpc.requeueOne(LETTER, { operationId: OPERATION, actor: "user-7" }),
    await rpc.requeueBatch(OPERATION, [{ dead_letter_id: LETTER, expect: { character_version: "41" } }], "user-7"),
    await rpc.readOperation(OPERATION.toUpperCase()),
    await rpc.demo.state(),
    await rpc.demo.breakCatalog("user-7"),
    await rpc.demo.mendCatalog("user-7"),
    await rpc.demo.noteViewer("user-7"),
  ];
  expect(results.filter(({ kind }) => kind !== "ok")).toEqual([]);
  expect(results[4]).toMatchObject({
    value: { operation_id: OPERATION, answers: [{ answer: "requeued", retry_job_id: JOB }] },
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(handled.names()).toEqual([
    "info",
    "inspect",
    "readFacts",
    "requeueOne",
    "requeueBatch",
    "break",
    "mend",
    "viewer",
  ]);
  const caller = expect.objectContaining({ actor: "user-7", idempotencyKey: OPERATION, keyId: "new" });
  expect(handled.calls[4]).toEqual([
    "requeueBatch",
    OPERATION,
    [{ dead_letter_id: LETTER, expect: { character_version: "41" } }],
    caller,
  ]);
});

describe("each refusal reaches the operator, and no handler", () => {
  afterEach(() => expect(handled.calls).toEqual([]));

  test("a key that the engine does not have", async () => {
    const result = await requeue({ keys: parseRpcKeys(newKey("k9")) });
    expect(result).toMatchObject({ kind: "refused", status: 401, code: "unknown_key" });
  });

  test("another secret under the same id; another audience", async () => {
    const bad = { kind: "refused", status: 401, code: "bad_signature" };
    expect(await requeue({ keys: parseRpcKeys(newKey("new")) })).toMatchObject(bad);
    expect(await requeue({ audience: "other.internal" })).toMatchObject(bad);
  });

  test.each([-400_000, -60_000, 400_000])("a clock that is %i ms off, with both times", async (offMs) => {
    const result = await requeue({ clock: () => Date.now() + offMs });
    expect(result).toMatchObject({ kind: "refused", status: 401, code: "clock_skew", serverTime: expect.any(String) });
    if (result.kind === "refused") expect(result.sentence).toContain(String(result.serverTime));
  });

  test("an intent that was left lying for longer than a signature lives", async () => {
    const signedMs = Date.now() - 40_000;
    const result = await client().requeueBatch(OPERATION, [{ dead_letter_id: LETTER }], "user-7", { signedMs });
    expect(result).toMatchObject({ kind: "refused", code: "clock_skew" });
  });

  test("an empty id, and one that is no UUID", async () => {
    const send = (id: string) => client().requeueOne(id, { operationId: OPERATION, actor: "user-7" });
    expect(await send("")).toMatchObject({ kind: "refused", status: 400, code: "empty_id" });
    expect(await send("letter-7")).toMatchObject({ kind: "refused", status: 400, code: "not_a_uuid" });
  });

  test("more letters than a body holds", async () => {
    const items = Array(2_500).fill({ dead_letter_id: LETTER, expect: { character_version: "1".repeat(60) } });
    const result = await client().requeueBatch(OPERATION, items, "user-7");
    expect(result).toMatchObject({ kind: "refused", status: 413, code: "body_too_large" });
  });
});

test("the key that signs may be either of the active two", async () => {
  const [, old] = rpcKeys.split(",");
  expect((await requeue({ keys: parseRpcKeys(old ?? "") })).kind).toBe("ok");
  expect(handled.calls[0]?.[2]).toMatchObject({ keyId: "old" });
});

test("a game server of the seed's routes does not offer ours", async () => {
  await restart({ routes: "seed" });
  const rpc = client();
  expect((await rpc.inspect(5)).kind).toBe("ok");
  expect((await requeue()).kind).toBe("ok");
  const ours = [
    await rpc.info(),
    await rpc.preflight([LETTER], "u"),
    await rpc.requeueBatch(OPERATION, [{ dead_letter_id: LETTER }], "u"),
    await rpc.readOperation(OPERATION),
    await rpc.demo.state(),
  ];
  expect(ours.map(({ kind }) => kind)).toEqual(Array(5).fill("not_offered"));
});

test("an operation without a record is refused with the engine's time", async () => {
  const result = await client().readOperation(OPERATION);
  expect(result).toMatchObject({ kind: "refused", status: 404, code: "operation_not_found", serverTime: NOW });
});

test("a cut after the engine handled it is unknown, and is handled once", async () => {
  proxy.set({ kind: "cut_before_reply" });
  expect(await requeue()).toMatchObject({ kind: "unknown", code: "answered_nothing" });
  expect(handled.names()).toEqual(["requeueOne"]);
});

test("an engine that fails is unknown", async () => {
  const broken = () => Promise.reject(new Error("broken"));
  await restart({}, { requeueOne: broken });
  expect(await requeue()).toMatchObject({ kind: "unknown", code: "engine_error", status: 500 });
});

test("an engine whose store is away handles nothing", async () => {
  const away = createPool({
    url: "postgres://nobody@127.0.0.1:1/none",
    application: "x",
    max: 1,
    statementTimeoutMs: 500,
  });
  await restart({ nonces: createNonceStore(away) });
  expect(await requeue()).toMatchObject({ kind: "unknown", code: "store_unavailable", status: 503 });
  expect(handled.calls).toEqual([]);
  await away.end();
});
