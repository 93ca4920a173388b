import { randomBytes, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createRpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { type Operator, openDesk, type TestDesk } from "@/scripts/testing/desk";
import { AUDIENCE, startEngine, type TestEngine } from "@/scripts/testing/engine";
import { type Fault, type FaultyFront, startFaultyFront } from "@/scripts/testing/faulty-front";
import { type Made, makeLetter, whereabouts } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { recoverOperations } from "./recover";
import { readOperation } from "./view";

// Each bad ending has a sentence of its own for the operator, and nothing changed that should not have.

// Engines start and are killed here; each is a process of its own.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stores: TestStores;
let game: Pool;
let engine: TestEngine;
let front: FaultyFront;
let desk: TestDesk;
let maya: Operator;
let letter: Made;

beforeAll(async () => {
  stores = await openStores();
  game = stores.pool("engine");
  engine = await startEngine(stores, { PERSISTENCE_RETRY_POLL_MILLIS: "600000" });
  front = await startFaultyFront(engine);
  desk = openDesk(stores, engine, front.url);
  maya = await desk.operator("Maya");
});
afterAll(async () => {
  await front.close();
  await engine.end();
  await stores.close();
});
beforeEach(async () => {
  front.fail("", null);
  letter = await makeLetter(game);
});

const untouched = { live: 0, dead: 1, letters: 1, applied: 0, gold: "100", version: "7" };

const html: Fault = { status: 200, contentType: "text/html", body: "<html><body>502 Bad Gateway</body></html>" };

test.each<[string, Fault, RegExp]>([
  ["500", { status: 500, body: '{"error":"internal_error","message":"broken"}' }, /answered 500|failed/i],
  ["HTML", html, /not JSON/],
  ["nothing", "nothing", /cut|nothing/i],
  ["JSON of another shape", { status: 200, body: '{"ok":true}' }, /does not understand/],
])("the engine answers %s to the requeue: unknown until it is read back, then not sent", async (_what, fault, said) => {
  const { operationId } = await desk.plan(letter.letterId, maya);
  front.fail("/requeue-batch", fault);
  const ended = await desk.press(operationId, maya);
  expect(ended).toMatchObject({ kind: "sent", view: { state: "unknown", outcome: "unknown" } });
  expect(ended.kind === "sent" && ended.view.sentence).toMatch(/read back by its id; nothing is sent again/);
  expect(ended.kind === "sent" && ended.view.sentence).toMatch(said);
  expect(await whereabouts(game, letter)).toEqual(untouched);
  await stores
    .pool("postgres", 1)
    .query(
      "update backstop.operations set intended_at = intended_at - interval '1 hour', sendable_until = sendable_until - interval '1 hour' where operation_id = $1",
      [operationId],
    );
  await recoverOperations(desk.own, () => desk.queue.door);
  expect(await readOperation(desk.own, operationId)).toMatchObject({ state: "not_sent", outcome: null });
});

test.each<[string, Fault]>([
  ["500", { status: 500, body: "{}" }],
  ["HTML", html],
  ["nothing", "nothing"],
])(
  "the engine answers %s to every question: the plan is blocked in words, and a click sends nothing",
  async (_what, fault) => {
    const { operationId } = await desk.plan(letter.letterId, maya);
    front.fail("", fault);
    const blocked = await desk.plan(letter.letterId, maya);
    expect(blocked.findings[0]).toMatchObject({ code: "engine", severity: "block" });
    expect(blocked.findings[0]?.reason).toMatch(/\w/);
    expect(await desk.press(operationId, maya)).toMatchObject({ kind: "changed", worse: ["engine"] });
    expect(await desk.press(blocked.operationId, maya)).toMatchObject({ kind: "blocked", blocks: ["engine"] });
    front.fail("", null);
    expect(await whereabouts(game, letter)).toEqual(untouched);
  },
);

test("the engine is down between plan and click: the click sends nothing and shows the new plan", async () => {
  const { operationId } = await desk.plan(letter.letterId, maya);
  const away = openDesk(stores, engine, "http://127.0.0.1:9");
  const ended = await away.press(operationId, maya);
  expect(ended).toMatchObject({ kind: "changed", worse: ["engine"] });
  expect(ended.kind === "changed" && ended.plan.preflight.findings[0]?.reason).toMatch(/refused|answer/i);
  expect(await whereabouts(game, letter)).toEqual(untouched);
});

/** The queue's door with a client of the test's own making. */
function doorWith(options: Partial<Parameters<typeof createRpcClient>[0]>) {
  const client = createRpcClient({
    engineUrl: engine.url,
    audience: AUDIENCE,
    keys: parseRpcKeys(stores.rpcKeys),
    ...options,
  });
  return openDesk(stores, { ...engine, client: () => client }).queue.door;
}

test.each<[string, Partial<Parameters<typeof createRpcClient>[0]>, string, RegExp]>([
  [
    "a wrong key",
    { keys: parseRpcKeys(`k1:${randomBytes(32).toString("base64")}`) },
    "bad_signature",
    /key|signature/i,
  ],
  ["an unknown key", { keys: parseRpcKeys(`other:${randomBytes(32).toString("base64")}`) }, "unknown_key", /key/i],
  ["another audience", { audience: "engine.elsewhere" }, "bad_signature", /signature|name/i],
  ["a clock an hour behind", { clock: () => Date.now() - 3_600_000 }, "clock_skew", /clock|time/i],
])("%s: refused, in a sentence that names it, and nothing is requeued", async (_what, options, code, said) => {
  const door = doorWith(options);
  const [found] = await door.preflight([letter.letterId], maya.userId);
  expect(found?.findings[0]).toMatchObject({ code: "engine", severity: "block" });
  expect(found?.findings[0]?.evidence).toContainEqual({ label: "code", value: code });
  expect(found?.findings[0]?.reason).toMatch(said);
  const result = await door.requeue(
    randomUUID(),
    [{ letterId: letter.letterId, expect: null }],
    maya.userId,
    Date.now(),
  );
  expect(result).toMatchObject({ kind: "refused", code });
  expect(await whereabouts(game, letter)).toEqual(untouched);
});

test("an engine of another RPC version: blocked, with both numbers", async () => {
  const info = await engine.client().info();
  if (info.kind !== "ok") throw new Error("no info");
  front.fail("/info", { status: 200, body: JSON.stringify({ ...info.value, rpc_version: 2 }) });
  const { findings } = await desk.plan(letter.letterId, maya);
  expect(findings[0]).toMatchObject({ severity: "block", title: "The engine speaks another RPC version" });
  expect(findings[0]?.reason).toContain("It speaks 2, this desk speaks 1.");
});

test.each([
  ["an unknown id", () => randomUUID(), "The letter", "not_found"],
  [
    "an undecodable payload",
    async () => (await makeLetter(game, { payload: "{broken" })).letterId,
    "decode",
    "undecodable",
  ],
])("%s: the engine's own answer becomes an outcome in words", async (_what, make, _said, answer) => {
  const result = await desk.queue.door.requeue(
    randomUUID(),
    [{ letterId: await make(), expect: null }],
    maya.userId,
    Date.now(),
  );
  expect(result).toMatchObject({ kind: "answered", answers: [{ answer }] });
});
