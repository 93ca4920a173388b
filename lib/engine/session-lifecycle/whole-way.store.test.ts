import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseEngineConfig } from "@/lib/config-engine";
import { readOutcomes } from "@/lib/engine/durable/redis-work-queue";
import { send, signedMessage } from "@/lib/engine/http/testing";
import { type Engine, startEngine } from "@/lib/engine/start";
import { createRpcClient, type RpcClient } from "@/lib/internal-rpc/client";
import { JOURNAL_ROUTES } from "@/lib/internal-rpc/journal-wire";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { closeStream } from "./close-stream";
import { type JournalWorld, KEY_ENV, openJournalWorld, stateOf, until } from "./testing";

// The whole engine, spoken to over its signed endpoints.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const METRICS_TOKEN = "a-token-for-the-metrics";

let stores: TestStores;
let pool: pg.Pool;
let world: JournalWorld;
let engine: Engine;
let client: RpcClient["journal"];
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
  world = await openJournalWorld(stores, pool);
  const config = parseEngineConfig({
    BACKSTOP_ENGINE_DATABASE_URL: stores.postgresUrl("engine"),
    BACKSTOP_ENGINE_REDIS_URL: stores.redisUrl("engine"),
    BACKSTOP_RPC_KEYS: stores.rpcKeys,
    BACKSTOP_SECRET: stores.backstopSecret,
    BACKSTOP_METRICS_TOKEN: METRICS_TOKEN,
    SESSION_LIFECYCLE_INTERVAL_MILLIS: "30",
    ...KEY_ENV,
  });
  engine = await startEngine(config);
  const rpc = createRpcClient({
    engineUrl: `http://127.0.0.1:${engine.port}`,
    audience: config.rpcAudience,
    keys: parseRpcKeys(stores.rpcKeys),
  });
  expect((await value(rpc.info())).journal).toEqual({ retry_limit: 8, interval_ms: 30 });
  client = rpc.journal;
});
afterAll(async () => {
  await engine.stop();
  await world.close();
  await stores.close();
});

async function value<T>(result: Promise<{ kind: "ok"; value: T } | { kind: string }>): Promise<T> {
  const ended = await result;
  if (!("value" in ended)) throw new Error(JSON.stringify(ended));
  return ended.value;
}

test("a cleanup that fails 8 times dies with its error; once mended it is requeued over the endpoint and recovered", async () => {
  const cleanup = await world.connect();
  const { characterId } = cleanup.player;
  // Not what the engine keeps there: no effect on it can succeed.
  await world.admin.set(`presence:${characterId}`, "of another program");
  const closed = await closeStream(world, cleanup);
  expect(closed).toMatchObject({ kind: "closed", session: "removed" });
  await until(async () => (await value(client.inspect(1))).dead_letters.length === 1);
  const { depths, dead_letters } = await value(client.inspect(10));
  expect(depths).toEqual({ pending: 0, processing: 0, dead_letter: 1 });
  expect(dead_letters).toMatchObject([
    { attempts: 8, error: expect.stringMatching(/^WRONGTYPE/), character_id: characterId, character_name: "Brannoch" },
  ]);
  const id = dead_letters[0]?.dead_letter_id ?? "";

  await world.admin.del(`presence:${characterId}`);
  // What came before the failure is done.
  expect(await stateOf(world, pool, cleanup)).toMatchObject({ active: false, presence: null, x: "41.5" });
  const [facts] = (await value(client.preflight([id], "op"))).facts;
  expect(facts).toMatchObject({
    found: true,
    decodes: { ok: true },
    cleanup: { plan: "reconnectable", deletes_resume_ledger: false },
    session: { active: false },
    resume_ledger: { present: true, character_id: characterId },
    presence: { online: "offline" },
    steps: [
      { step: "persist_resume_ledger", does: "does" },
      { step: "persist_location", does: "skips", why: "this cleanup wrote it before" },
      { step: "refresh_presence", does: "does" },
    ],
    newer_entries: [],
    newer_letters: [],
  });

  const operationId = randomUUID();
  const items = [{ dead_letter_id: id, expect: { session: "inactive", resume_ledger: "present" } as const }];
  const { answers } = await value(client.requeueBatch(operationId, items, "op"));
  expect(answers).toMatchObject([{ answer: "requeued", dead_letter_id: id }]);
  expect((await value(client.readOperation(operationId))).answers).toEqual(answers);
  await until(async () => (await readOutcomes(world.queue, [id]))[0] !== null);
  expect(await readOutcomes(world.queue, [id])).toMatchObject([{ outcome: "recovered", operation_id: operationId }]);
  expect(await stateOf(world, pool, cleanup)).toEqual({
    active: false,
    ledger: '{"sequence":9007199254740993}',
    presence: "away",
    x: "41.5",
  });
  expect((await value(client.inspect(1))).depths).toEqual({ pending: 0, processing: 0, dead_letter: 0 });
});

test("the seed's requeue: once, then false; unknown: false; undecodable: 422, and the letter stays", async () => {
  const cleanup = await world.connect();
  await world.admin.lpush(world.queue.keys.pending, '{"entry_id":"other","attempts":0,"item":{"no":"cleanup"}}');
  await until(async () => (await value(client.inspect(1))).depths.dead_letter === 1);
  const [letter] = (await value(client.inspect(1))).dead_letters;
  expect(letter).toMatchObject({ entry_id: "other", attempts: 1, error: expect.stringMatching(/^parse error: /) });
  const by = () => ({ operationId: randomUUID(), actor: "op" });
  const id = letter?.dead_letter_id ?? "";
  expect(await client.requeueOne(id, by())).toMatchObject({ kind: "refused", status: 422, code: "undecodable" });
  expect((await value(client.inspect(1))).depths.dead_letter).toBe(1);
  await world.admin.del(world.queue.keys.deadLetter);

  await world.admin.set(`presence:${cleanup.player.characterId}`, "of another program");
  await closeStream(world, cleanup);
  await until(async () => (await value(client.inspect(1))).depths.dead_letter === 1);
  const dead = (await value(client.inspect(1))).dead_letters[0]?.dead_letter_id ?? "";
  await world.admin.del(`presence:${cleanup.player.characterId}`);
  const first = await value(client.requeueOne(dead, by()));
  expect(first.requeued).toBe(true);
  expect(await value(client.requeueOne(dead, by()))).toEqual({ requeued: false, entry_id: first.entry_id });
  expect(await value(client.requeueOne(randomUUID(), by()))).toEqual({ requeued: false, entry_id: null });
});

test("a signature is used once, in Redis; an operation that is not there is 404 with Redis's clock", async () => {
  expect(await client.readOperation(randomUUID())).toMatchObject({
    kind: "refused",
    code: "operation_not_found",
    serverTime: expect.any(String),
  });
  const target = `${JOURNAL_ROUTES}?limit=1`;
  const message = await signedMessage({ rpcKeys: stores.rpcKeys, method: "GET", target });
  expect((await send(engine.port, message)).status).toBe(200);
  const again = await send(engine.port, message);
  expect([again.status, again.body.error]).toEqual([409, "replayed"]);
});

test("the metrics tell depths, and count what could not be recorded", async () => {
  const response = await fetch(`http://127.0.0.1:${engine.port}/v1/internal/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const text = await response.text();
  expect(text).toMatch(/^# TYPE backstop_session_lifecycle_enqueue_errors_total counter$/m);
  expect(text).toMatch(/^# TYPE backstop_session_lifecycle_skipped_reconnected_total counter$/m);
  expect(text).toMatch(/^backstop_session_lifecycle_entries\{list="pending"\} \d+$/m);
  expect(text).toMatch(/^backstop_session_lifecycle_store_up 1$/m);
});
