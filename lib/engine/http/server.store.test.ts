import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createPool } from "@/lib/db/pg";
import { DEMO_ROUTES } from "@/lib/internal-rpc/demo-wire";
import { INFO_ROUTE, PERSISTENCE_ROUTES } from "@/lib/internal-rpc/wire";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import type { EngineHandlers } from "./handlers";
import { createNonceStore } from "./nonces";
import { type HttpOptions, type RunningHttp, startHttp } from "./server";
import { AUDIENCE, JOB, LETTER, type Message, newKey, notingHandlers, type Sent, send, signedMessage } from "./testing";

let stores: TestStores;
let pool: Pool;
let http: RunningHttp;
let handled: ReturnType<typeof notingHandlers>;
const rpcKeys = `${newKey("k1")},${newKey("k2")}`;
const logged: Record<string, unknown>[] = [];

async function start(over: Partial<HttpOptions> = {}, handlers: Partial<EngineHandlers> = {}): Promise<RunningHttp> {
  handled = notingHandlers(handlers);
  return startHttp({
    port: 0,
    audience: AUDIENCE,
    rpcKeys,
    nonces: createNonceStore(pool),
    handlers: handled.handlers,
    log: (event, fields) => logged.push({ event, ...fields }),
    ...over,
  });
}

beforeAll(async () => {
  stores = await openStores();
  const url = stores.postgresUrl("engine");
  pool = createPool({ url, application: "rpc-server-test", max: 25, statementTimeoutMs: 20_000 });
});
afterAll(async () => {
  await pool.end();
  await stores.close();
});
beforeEach(async () => {
  http = await start();
});
afterEach(async () => {
  vi.useRealTimers();
  await http.close();
  logged.splice(0);
});

const requeueTarget = `${PERSISTENCE_ROUTES}/requeue`;
const requeueBody = { rpc_version: 1, dead_letter_id: LETTER };
const requeue = (over: Partial<Parameters<typeof signedMessage>[0]> = {}) =>
  signedMessage({ rpcKeys, target: requeueTarget, body: requeueBody, ...over });
const get = (target: string) => signedMessage({ rpcKeys, method: "GET", target });

function expectRefusal(sent: Sent, status: number, error: string): void {
  expect([sent.status, sent.body.error]).toEqual([status, error]);
  expect(sent.body.message).toEqual(expect.any(String));
  expect(sent.headers["content-type"]).toMatch(/^application\/json/);
  expect(sent.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(sent.body.request_id).toBe(sent.headers["x-request-id"]);
}

describe("a signed request is handled", () => {
  test("the seed's requeue, with who asked", async () => {
    const key = randomUUID();
    const sent = await send(http.port, await requeue({ idempotencyKey: key, actor: "user-9" }));
    expect([sent.status, sent.body]).toEqual([200, { requeued: true, retry_job_id: JOB }]);
    expect(sent.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(handled.calls).toEqual([
      [
        "requeueOne",
        LETTER,
        {
          requestId: sent.headers["x-request-id"],
          keyId: "k1",
          actor: "user-9",
          idempotencyKey: key,
          startByMs: expect.any(Number),
        },
      ],
    ]);
    expect(logged).toEqual([expect.objectContaining({ event: "rpc", status: 200, key_id: "k1", actor: "user-9" })]);
  });

  test.each([
    ["", 50],
    ["?limit=", 50],
    ["?limit=many", 50],
    ["?limit=7", 7],
    ["?limit=0", 1],
    ["?limit=-3", 1],
    ["?limit=501", 500],
    ["?limit=99999999999999999999", 500],
  ])("the seed's inspection clamps its limit: '%s' is %i", async (query, limit) => {
    expect((await send(http.port, await get(`${PERSISTENCE_ROUTES}${query}`))).status).toBe(200);
    expect(handled.calls).toEqual([["inspect", limit]]);
  });

  test("info names the version and the routes", async () => {
    const { body } = await send(http.port, await get(INFO_ROUTE));
    expect(body).toMatchObject({ rpc_version: 1, lease_seconds: 30 });
    expect(body.routes).toEqual([
      `GET ${INFO_ROUTE}`,
      `GET ${PERSISTENCE_ROUTES}`,
      `POST ${PERSISTENCE_ROUTES}/requeue`,
      `POST ${PERSISTENCE_ROUTES}/preflight`,
      `POST ${PERSISTENCE_ROUTES}/requeue-batch`,
      `GET ${PERSISTENCE_ROUTES}/operations/:id`,
      `GET ${DEMO_ROUTES}/state`,
      `POST ${DEMO_ROUTES}/break`,
      `POST ${DEMO_ROUTES}/mend`,
      `POST ${DEMO_ROUTES}/viewer`,
      `POST ${DEMO_ROUTES}/fault`,
      `POST ${DEMO_ROUTES}/fault-end`,
    ]);
  });

  test("health needs no signature and says only ok", async () => {
    const sent = await send(http.port, { method: "GET", target: "/health", headers: {} });
    expect([sent.status, sent.body]).toEqual([200, { ok: true }]);
  });

  test("whatever this process's clock says", async () => {
    const message = await requeue();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
    expect((await send(http.port, message)).status).toBe(200);
  });
});

describe("each refusal has its code, and reaches no handler", () => {
  afterEach(() => expect(handled.calls).toEqual([]));

  test("unsigned", async () => {
    const body = Buffer.from(JSON.stringify(requeueBody));
    const sent = await send(http.port, { method: "POST", target: requeueTarget, headers: {}, body });
    expectRefusal(sent, 401, "bad_signature");
  });

  test("another key, and another key under a known id", async () => {
    expectRefusal(await send(http.port, await requeue({ rpcKeys: newKey("k9") })), 401, "unknown_key");
    expectRefusal(await send(http.port, await requeue({ rpcKeys: newKey("k1") })), 401, "bad_signature");
  });

  test.each<[string, (message: Message) => Message]>([
    ["body", (m) => ({ ...m, body: Buffer.from(JSON.stringify({ ...requeueBody, dead_letter_id: JOB })) })],
    ["actor", (m) => ({ ...m, headers: { ...m.headers, "backstop-actor": "user-8" } })],
    ["idempotency key", (m) => ({ ...m, headers: { ...m.headers, "idempotency-key": randomUUID() } })],
    ["query", (m) => ({ ...m, target: `${m.target}?x=1` })],
    ["path", (m) => ({ ...m, target: `${PERSISTENCE_ROUTES}/preflight` })],
  ])("a changed %s", async (_, change) => {
    expectRefusal(await send(http.port, change(await requeue())), 401, "bad_signature");
  });

  test.each([
    ["stale", -310_000],
    ["expired", -40_000],
    ["in the future", 310_000],
  ])("%s, with the store's time", async (_, offMs) => {
    const sent = await send(http.port, await requeue({ nowMs: Date.now() + offMs }));
    expectRefusal(sent, 401, "clock_skew");
    expect(Math.abs(Date.parse(String(sent.body.server_time)) - Date.now())).toBeLessThan(5_000);
  });

  test.each([2, "1", null, undefined])("RPC version %s, with both numbers", async (rpc_version) => {
    const sent = await send(http.port, await requeue({ body: { ...requeueBody, rpc_version } }));
    expectRefusal(sent, 409, "rpc_version_mismatch");
    expect(sent.body).toMatchObject({ expected_rpc_version: 1, given_rpc_version: rpc_version ?? null });
  });

  test.each([
    ["empty_id", { rpc_version: 1, dead_letter_id: "" }],
    ["empty_id", { rpc_version: 1 }],
    ["not_a_uuid", { rpc_version: 1, dead_letter_id: "letter-7" }],
    ["not_a_uuid", { rpc_version: 1, dead_letter_id: 7 }],
    ["bad_json", "{"],
  ])("%s", async (code, body) => {
    expectRefusal(await send(http.port, await requeue({ body })), 400, code);
  });

  test.each([
    ["empty_id", "preflight", { dead_letter_ids: [] }],
    ["not_a_uuid", "preflight", { dead_letter_ids: [LETTER, "x"] }],
    ["bad_request", "preflight", { dead_letter_ids: Array(501).fill(LETTER) }],
    ["bad_request", "preflight", { dead_letter_ids: 5 }],
    ["not_a_uuid", "requeue-batch", { operation_id: "x", items: [{ dead_letter_id: LETTER }] }],
    ["empty_id", "requeue-batch", { operation_id: JOB, items: [{ dead_letter_id: "" }] }],
    ["bad_request", "requeue-batch", { operation_id: JOB, items: [] }],
    ["idempotency_key_mismatch", "requeue-batch", { operation_id: JOB, items: [{ dead_letter_id: LETTER }] }],
  ])("%s of %s", async (code, route, body) => {
    const message = await signedMessage({
      rpcKeys,
      target: `${PERSISTENCE_ROUTES}/${route}`,
      body: { rpc_version: 1, ...body },
    });
    expectRefusal(await send(http.port, message), 400, code);
  });

  test("unknown routes and methods", async () => {
    expectRefusal(await send(http.port, await get("/v1/internal/nothing")), 404, "route_not_found");
    expectRefusal(await send(http.port, await get(`${PERSISTENCE_ROUTES}/operations/`)), 404, "route_not_found");
    expectRefusal(await send(http.port, await get(`${PERSISTENCE_ROUTES}/operations/x/y`)), 404, "route_not_found");
    const sent = await send(http.port, await get(requeueTarget));
    expectRefusal(sent, 405, "method_not_allowed");
    expect(sent.headers.allow).toBe("POST");
    expectRefusal(await send(http.port, await get(`${PERSISTENCE_ROUTES}/operations/x`)), 400, "not_a_uuid");
  });

  test("a GET with a body", async () => {
    const message = { ...(await get(INFO_ROUTE)), body: Buffer.from("{}") };
    expectRefusal(await send(http.port, message), 400, "body_not_allowed");
  });

  test("a body over 256 KiB, and just as much is read", async () => {
    const padded = (bytes: number) => {
      const plain = JSON.stringify({ ...requeueBody, rpc_version: 2, pad: "" });
      return plain.replace('"pad":""', `"pad":"${"x".repeat(bytes - plain.length)}"`);
    };
    expectRefusal(await send(http.port, await requeue({ body: padded(256 * 1024 + 1) })), 413, "body_too_large");
    expectRefusal(await send(http.port, await requeue({ body: padded(256 * 1024) })), 409, "rpc_version_mismatch");
  });
});

describe("what a handler finds", () => {
  test("a requeue that did nothing is 200 with requeued false", async () => {
    await http.close();
    http = await start({}, { requeueOne: async () => ({ kind: "not_requeued", retryJobId: JOB }) });
    const sent = await send(http.port, await requeue());
    expect([sent.status, sent.body]).toEqual([200, { requeued: false, retry_job_id: JOB }]);
  });

  test("an undecodable payload is 422, a late start is 401 with the store's time", async () => {
    await http.close();
    http = await start({}, { requeueOne: async () => ({ kind: "undecodable", error: "no tag" }) });
    expectRefusal(await send(http.port, await requeue()), 422, "undecodable");
    await http.close();
    http = await start({}, { requeueOne: async () => ({ kind: "too_late", serverTime: "T" }) });
    expectRefusal(await send(http.port, await requeue()), 401, "clock_skew");
  });

  test("another expect for the same pair is 409, an operation without a record 404 with the server's time", async () => {
    await http.close();
    http = await start({}, { requeueBatch: async () => ({ kind: "operation_mismatch", deadLetterId: LETTER }) });
    const batch = await signedMessage({
      rpcKeys,
      target: `${PERSISTENCE_ROUTES}/requeue-batch`,
      idempotencyKey: JOB,
      body: { rpc_version: 1, operation_id: JOB, items: [{ dead_letter_id: LETTER }] },
    });
    expectRefusal(await send(http.port, batch), 409, "operation_mismatch");
    const reading = await send(http.port, await get(`${PERSISTENCE_ROUTES}/operations/${JOB}`));
    expectRefusal(reading, 404, "operation_not_found");
    expect(reading.body.server_time).toEqual(expect.any(String));
  });

  test("a failure is 500 and tells nothing but its request id", async () => {
    await http.close();
    const broken = async () => {
      throw new Error("relation persistence_retry_jobs: connection to 10.1.2.3 lost");
    };
    http = await start({}, { requeueOne: broken });
    const sent = await send(http.port, await requeue());
    expectRefusal(sent, 500, "internal_error");
    expect(JSON.stringify(sent.body)).not.toMatch(/relation|10\.1/);
    expect(logged).toContainEqual(expect.objectContaining({ event: "rpc_error", request_id: sent.body.request_id }));
  });
});

test("a store that cannot use a nonce up is 503 in so many words, and no handler runs", async () => {
  await http.close();
  const broken = async () => {
    throw new Error("OOM command not allowed when used memory > 'maxmemory'");
  };
  http = await start({ nonces: { consume: broken, sweep: async () => 0 } });
  const sent = await send(http.port, await requeue());
  expectRefusal(sent, 503, "store_unavailable");
  expect(handled.names()).toEqual([]);
  expect(logged).toContainEqual(expect.objectContaining({ event: "rpc_error", error: expect.stringMatching(/^OOM/) }));
});

describe("a signature is used once", () => {
  test("sent again, it is refused", async () => {
    const message = await requeue();
    expect((await send(http.port, message)).status).toBe(200);
    expectRefusal(await send(http.port, message), 409, "replayed");
    expect(handled.names()).toEqual(["requeueOne"]);
  });

  test("it is used up by a request that its handler refuses, too", async () => {
    const message = await requeue({ body: { ...requeueBody, rpc_version: 2 } });
    expectRefusal(await send(http.port, message), 409, "rpc_version_mismatch");
    expectRefusal(await send(http.port, message), 409, "replayed");
  });

  test("of twenty copies sent at once to two engines, exactly one is handled", async () => {
    const first = handled;
    const other = await start();
    const message = await requeue();
    const nonce = /nonce="([^"]+)"/.exec(message.headers["signature-input"] ?? "")?.[1];
    const holder = await pool.connect();
    await holder.query("begin");
    await holder.query("insert into internal_rpc_nonces values ('k1', $1, clock_timestamp())", [nonce]);
    const sending = Array.from({ length: 20 }, (_, n) => send(n % 2 ? http.port : other.port, message));
    for (let blocked = 0; blocked < 20; await sleep(20)) {
      const { rows } = await pool.query(
        "select count(*)::int as n from pg_stat_activity where application_name = 'rpc-server-test' and wait_event_type = 'Lock'",
      );
      blocked = rows[0].n;
    }
    await holder.query("rollback");
    holder.release();
    const statuses = (await Promise.all(sending)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(409)]);
    expect([...first.names(), ...handled.names()]).toEqual(["requeueOne"]);
    await other.close();
  });
});

describe("a game server of the seed's routes", () => {
  test.each(["all", "seed"] as const)("%s", async (routes) => {
    await http.close();
    http = await start({ routes }, { demo: null });
    expect((await send(http.port, await requeue())).status).toBe(200);
    expect((await send(http.port, await get(PERSISTENCE_ROUTES))).status).toBe(200);
    const info = await send(http.port, await get(INFO_ROUTE));
    if (routes === "seed") expectRefusal(info, 404, "route_not_found");
    else expect(info.status).toBe(200);
    const demo = await signedMessage({ rpcKeys, target: `${DEMO_ROUTES}/break`, body: { rpc_version: 1 } });
    expectRefusal(await send(http.port, demo), 404, "route_not_found");
  });
});

test.each([
  ["short", "a:c2hvcnQ="],
  ["a sample", `a:${Buffer.from("changeme".repeat(4)).toString("base64")}`],
  ["missing", ""],
])("it does not start with a key that is %s", async (_, keys) => {
  await expect(start({ rpcKeys: keys })).rejects.toThrow("BACKSTOP_RPC_KEYS");
});
