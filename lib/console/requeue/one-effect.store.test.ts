import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Operator, openDesk, type TestDesk } from "@/scripts/testing/desk";
import { AUDIENCE, startEngine, type TestEngine } from "@/scripts/testing/engine";
import { overlapping } from "@/scripts/testing/forced-race";
import { type Made, makeLetter, whereabouts } from "@/scripts/testing/game";
import { startProxy } from "@/scripts/testing/proxy";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";
import { followOutcomes } from "./follow";
import { recoverOperations } from "./recover";
import { readOperation } from "./view";

// One effect, whatever is pressed, cut or killed: exactly one new job, applied once, and an audit that says so.

// Engines start and are killed here; each is a process of its own.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stores: TestStores;
let game: Pool;
let admin: Pool;
let engine: TestEngine;
let desk: TestDesk;
let maya: Operator;
let jonas: Operator;

beforeAll(async () => {
  stores = await openStores();
  game = stores.pool("engine", 4);
  admin = stores.pool("postgres", 4);
  desk = openDesk(stores, await startedEngine());
  maya = await desk.operator("Maya");
  jonas = await desk.operator("Jonas");
});
afterAll(async () => {
  await engine.end();
  await stores.close();
});

async function startedEngine(env: Record<string, string> = {}): Promise<TestEngine> {
  engine = await startEngine(stores, env);
  return engine;
}

let letter: Made;
beforeEach(async () => {
  letter = await makeLetter(game);
});
afterEach(async () => {
  if (engine.child.exitCode === null && engine.child.signalCode === null) return;
  desk = openDesk(stores, await startedEngine());
});

const holdLetter = () => ({
  text: "select 1 from persistence_job_dead_letters where dead_letter_id = $1 for update",
  values: [letter.letterId],
});

/** All presses at once, really: each must end, and with a value. */
async function race<T>(...forced: Parameters<typeof overlapping<T>>): Promise<T[]> {
  const ended = await overlapping(...forced);
  return ended.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

const doorOf = () => desk.queue.door;

async function settled(operationId: string) {
  await until(async () => {
    await followOutcomes(desk.own, doorOf);
    return (await readOperation(desk.own, operationId)).outcome === "recovered";
  });
  expect(await whereabouts(game, letter)).toMatchObject({ live: 0, dead: 0, letters: 1, applied: 1, gold: "340" });
}

async function audited(operationId: string): Promise<{ phase: string; outcome: string | null }[]> {
  const { rows } = await desk.own.query(
    "select phase, outcome from backstop.audit where operation_id = $1 order by audit_id",
    [operationId],
  );
  return rows;
}

test("a double click on one plan has one effect; the second is told what became of the first", async () => {
  const { operationId } = await desk.plan(letter.letterId, maya);
  const ended = await race(
    admin,
    { text: "select 1 from backstop.operations where operation_id = $1 for update", values: [operationId] },
    Array.from({ length: 6 }, () => () => desk.press(operationId, maya)),
  );
  expect(ended.filter((one) => one.kind === "sent")).toHaveLength(1);
  expect(ended.filter((one) => one.kind === "already")).toHaveLength(5);
  await settled(operationId);
});

test("a replayed click, even a day later, sends nothing", async () => {
  const { operationId } = await desk.plan(letter.letterId, maya);
  await desk.press(operationId, maya);
  await settled(operationId);
  expect(await desk.press(operationId, maya)).toMatchObject({ kind: "already", view: { outcome: "recovered" } });
  expect(await audited(operationId)).toHaveLength(2);
  await settled(operationId);
});

test("two tabs and two operators with plans of their own: one requeues, the others learn who and when", async () => {
  const plans = await Promise.all(
    [maya, maya, jonas, jonas].map(async (by) => ({ by, ...(await desk.plan(letter.letterId, by)) })),
  );
  const ended = await race(
    admin,
    holdLetter(),
    plans.map((plan) => () => desk.press(plan.operationId, plan.by)),
  );
  const views = ended.map((one) => (one.kind === "sent" ? one.view : null));
  const won = views.findIndex((view) => view?.answer === "requeued");
  expect(views.filter((view) => view?.answer === "requeued")).toHaveLength(1);
  const winner = plans[won];
  for (const view of views.filter((_, index) => index !== won)) {
    expect(view).toMatchObject({ answer: "already_requeued", outcome: "requeued_elsewhere" });
    expect(view?.sentence).toContain(`${winner?.by.name} requeued this letter`);
  }
  await settled(winner?.operationId ?? "");
});

test("a plan belongs to who made it", async () => {
  const { operationId } = await desk.plan(letter.letterId, maya);
  expect(await desk.press(operationId, jonas)).toEqual({ kind: "plan_gone" });
  expect(await desk.press(randomUUID(), jonas)).toEqual({ kind: "plan_gone" });
  expect(await whereabouts(game, letter)).toMatchObject({ live: 0, dead: 1, applied: 0 });
});

test("the engine's answer is cut after its commit: unknown, never failed, and then read back", async () => {
  const proxy = await startProxy({ port: engine.port });
  const cut = openDesk(stores, engine, `http://127.0.0.1:${proxy.port}`);
  const { operationId } = await desk.plan(letter.letterId, maya);
  proxy.set({ kind: "cut_before_reply", match: "requeue-batch" }, 1);
  const ended = await cut.press(operationId, maya);
  expect(ended).toMatchObject({ kind: "sent", view: { state: "unknown", outcome: "unknown" } });
  expect(await audited(operationId)).toEqual([{ phase: "intent", outcome: null }]);
  expect(await recoverOperations(desk.own, doorOf)).toBe(1);
  expect(await readOperation(desk.own, operationId)).toMatchObject({ answer: "requeued" });
  expect(await audited(operationId)).toEqual([
    { phase: "intent", outcome: null },
    { phase: "outcome", outcome: "requeued" },
  ]);
  await settled(operationId);
  await proxy.close();
});

test("the console's database is an hour ahead: what the engine kept of an operation is still that operation's", async () => {
  const proxy = await startProxy({ port: engine.port });
  const cut = openDesk(stores, engine, `http://127.0.0.1:${proxy.port}`);
  const { operationId } = await desk.plan(letter.letterId, maya);
  proxy.set({ kind: "cut_before_reply", match: "requeue-batch" }, 1);
  await cut.press(operationId, maya);
  const ahead = "update backstop.operations set intended_at = intended_at + interval '1 hour' where operation_id = $1";
  await admin.query(ahead, [operationId]);
  expect(await recoverOperations(desk.own, doorOf)).toBe(1);
  expect(await readOperation(desk.own, operationId)).toMatchObject({ answer: "requeued" });
  await settled(operationId);
  await proxy.close();
});

test("the request is cut before the engine sees it: unknown until nothing can still land, then not sent", async () => {
  const proxy = await startProxy({ port: engine.port });
  const cut = openDesk(stores, engine, `http://127.0.0.1:${proxy.port}`);
  const { operationId } = await desk.plan(letter.letterId, maya);
  proxy.set({ kind: "cut_before_request", match: "requeue-batch" }, 1);
  expect(await cut.press(operationId, maya)).toMatchObject({ kind: "sent", view: { state: "unknown" } });
  expect(await recoverOperations(desk.own, doorOf), "its signature still lives").toBe(0);
  await ageIntent(operationId);
  expect(await recoverOperations(desk.own, doorOf)).toBe(1);
  const view = await readOperation(desk.own, operationId);
  expect(view).toMatchObject({ state: "not_sent", outcome: null });
  expect(view.sentence).toContain("Nothing was requeued.");
  expect(await whereabouts(game, letter)).toMatchObject({ live: 0, dead: 1, applied: 0, gold: "100" });
  await proxy.close();
});

/** An hour passes: intents age and signatures expire by the database's clock, so their rows are moved back. */
async function ageIntent(operationId: string): Promise<void> {
  await admin.query(
    `update backstop.operations set intended_at = intended_at - interval '1 hour', sendable_until = sendable_until - interval '1 hour'
      where operation_id = $1`,
    [operationId],
  );
}

/** The click in a process of its own, killed once the engine holds its request and nothing has come back. */
async function killedPress(operationId: string): Promise<void> {
  const proxy = await startProxy({ port: engine.port });
  proxy.set({ kind: "hold_reply", match: "requeue-batch" });
  const input = {
    ownUrl: stores.postgresUrl("backstop_own"),
    gameUrl: stores.postgresUrl("backstop_read"),
    engineUrl: `http://127.0.0.1:${proxy.port}`,
    audience: AUDIENCE,
    rpcKeys: stores.rpcKeys,
    operationId,
    userId: maya.userId,
  };
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/testing/press.ts", JSON.stringify(input)], {
    stdio: "inherit",
  });
  await until(async () => (await whereabouts(game, letter)).dead === 0);
  child.kill("SIGKILL");
  await once(child, "exit");
  await proxy.close();
}

test("the web process is killed between intent and answer: a keeper finishes it, and nothing is sent again", async () => {
  const { operationId } = await desk.plan(letter.letterId, maya);
  await killedPress(operationId);
  expect(await readOperation(desk.own, operationId)).toMatchObject({ state: "intended", answer: null });
  expect(await recoverOperations(desk.own, doorOf), "an intent of this instant may still be answered").toBe(0);
  await ageIntent(operationId);
  expect(await recoverOperations(desk.own, doorOf)).toBe(1);
  expect(await readOperation(desk.own, operationId)).toMatchObject({ state: "answered", answer: "requeued" });
  await settled(operationId);
});

test("the engine is killed after its commit and before its answer: read back from the engine that comes after it", async () => {
  const { operationId } = await desk.plan(letter.letterId, maya);
  await engine.end();
  const failing = openDesk(stores, await startedEngine({ BACKSTOP_FAILPOINTS: "requeue.after_commit=kill" }));
  expect(await failing.press(operationId, maya)).toMatchObject({ kind: "sent", view: { state: "unknown" } });
  expect(await recoverOperations(desk.own, () => failing.queue.door), "there is no engine to ask").toBe(0);
  await until(async () => engine.child.signalCode !== null);
  desk = openDesk(stores, await startedEngine());
  expect(await recoverOperations(desk.own, doorOf)).toBe(1);
  await settled(operationId);
});

test("the engine is killed before its commit: nothing happened, and the letter can be requeued again", async () => {
  const { operationId } = await desk.plan(letter.letterId, maya);
  await engine.end();
  const failing = openDesk(stores, await startedEngine({ BACKSTOP_FAILPOINTS: "requeue.before_commit=kill" }));
  expect(await failing.press(operationId, maya)).toMatchObject({ kind: "sent", view: { state: "unknown" } });
  await until(async () => engine.child.signalCode !== null);
  desk = openDesk(stores, await startedEngine());
  await ageIntent(operationId);
  expect(await recoverOperations(desk.own, doorOf)).toBe(1);
  expect(await readOperation(desk.own, operationId)).toMatchObject({ state: "not_sent" });
  const again = await desk.plan(letter.letterId, maya);
  expect(await desk.press(again.operationId, maya)).toMatchObject({ kind: "sent", view: { answer: "requeued" } });
  await settled(again.operationId);
});

test("the worker is killed between apply and settle: the write lands once, by the worker that comes after it", async () => {
  await engine.end();
  desk = openDesk(
    stores,
    await startedEngine({
      BACKSTOP_FAILPOINTS: "settle.before_commit=kill",
      PERSISTENCE_RETRY_LEASE_MILLIS: "3000",
      PERSISTENCE_RETRY_TRANSACTION_MILLIS: "1000",
    }),
  );
  const { operationId } = await desk.plan(letter.letterId, maya);
  await desk.press(operationId, maya);
  await until(async () => engine.child.signalCode !== null);
  expect(await whereabouts(game, letter)).toMatchObject({ live: 1, dead: 0, applied: 0, gold: "100" });
  desk = openDesk(stores, await startedEngine());
  await recoverOperations(desk.own, doorOf);
  await settled(operationId);
});

test("what changed between plan and effect is skipped and named; the new plan shows it", async () => {
  const { operationId } = await desk.plan(letter.letterId, maya);
  const bump = "update characters set version = version + 1, changed_at = clock_timestamp() where character_id = $1";
  await game.query(bump, [letter.characterId]);
  const changed = await desk.press(operationId, maya);
  expect(changed).toMatchObject({ kind: "changed", worse: ["row_changed"] });
  expect(await whereabouts(game, letter)).toMatchObject({ live: 0, dead: 1 });
  // The operator acknowledges the new plan, and the row changes once more: now only the engine can tell.
  const next = changed.kind === "changed" ? changed.plan.operationId : "";
  await game.query(bump, [letter.characterId]);
  const ended = await desk.press(next, maya, { acknowledged: ["row_changed"], reason: "checked with the player" });
  expect(ended).toMatchObject({ kind: "sent", view: { answer: "changed", outcome: "skipped" } });
  expect(ended.kind === "sent" && ended.view.sentence).toContain("character version went from 8 to 9");
  expect(await whereabouts(game, letter)).toMatchObject({ live: 0, dead: 1, applied: 0, gold: "100" });
});

test("a warning is acknowledged and given a reason, or nothing is sent and the refusal is on record", async () => {
  await game.query("update characters set version = 9 where character_id = $1", [letter.characterId]);
  const { operationId, findings } = await desk.plan(letter.letterId, maya);
  expect(findings[0]).toMatchObject({ code: "row_changed", severity: "warn" });
  expect(
    await desk.press(operationId, maya, { acknowledged: [], reason: "a reason that is long enough" }),
  ).toMatchObject({ kind: "incomplete" });
  expect(await desk.press(operationId, maya, { acknowledged: ["row_changed"], reason: "short" })).toMatchObject({
    kind: "incomplete",
  });
  expect(await whereabouts(game, letter)).toMatchObject({ live: 0, dead: 1 });
  expect((await audited(operationId)).map((row) => row.phase)).toEqual(["refusal", "refusal"]);
  const ended = await desk.press(operationId, maya, { acknowledged: ["row_changed"], reason: "support asked for it" });
  expect(ended).toMatchObject({ kind: "sent", view: { answer: "requeued" } });
  await settled(operationId);
});

test("it dies again of the same cause: said with its error, as a new letter", async () => {
  const doomed = await makeLetter(game, { zoneId: "no-such-zone" });
  const plan = await desk.plan(doomed.letterId, maya);
  await desk.press(plan.operationId, maya);
  await until(async () => {
    await followOutcomes(desk.own, doorOf);
    return (await readOperation(desk.own, plan.operationId)).outcome === "died_again";
  });
  expect((await readOperation(desk.own, plan.operationId)).sentence).toContain("Died again");
  expect(await whereabouts(game, doomed)).toMatchObject({ live: 0, dead: 1, letters: 2, applied: 0 });
});
