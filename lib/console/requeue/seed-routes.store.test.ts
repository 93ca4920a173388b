import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { migrate } from "@/lib/db/migrate";
import { type Operator, openDesk, type TestDesk } from "@/scripts/testing/desk";
import { startEngine, type TestEngine } from "@/scripts/testing/engine";
import { makeLetter } from "@/scripts/testing/game";
import { SEED_TABLES } from "@/scripts/testing/given-stores";
import { startProxy, type TestProxy } from "@/scripts/testing/proxy";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { followOutcomes } from "./follow";
import { recoverOperations } from "./recover";
import { readOperation } from "./view";

// A game server that keeps no operations: what became of a request is read from the letter's own row.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stores: TestStores;
let game: Pool;
let admin: Pool;
let engine: TestEngine;
let proxy: TestProxy;
let desk: TestDesk;
let maya: Operator;

beforeAll(async () => {
  stores = await openStores("bare");
  game = stores.pool("engine");
  admin = stores.pool("postgres");
  await game.query(SEED_TABLES);
  await migrate({ migrateUrl: stores.postgresUrl("backstop_migrate"), ownUrl: stores.postgresUrl("backstop_own") });
  engine = await startEngine(stores, { BACKSTOP_ENGINE_ROUTES: "seed" });
  proxy = await startProxy({ port: engine.port });
  desk = openDesk(stores, engine, `http://127.0.0.1:${proxy.port}`);
  maya = await desk.operator("Maya");
});
afterAll(async () => {
  await proxy.close();
  await engine.end();
  await stores.close();
});

const doorOf = () => desk.queue.door;

/** A letter's plan, pressed while the connection to the game server does `mode`. */
async function pressed(mode?: Parameters<TestProxy["set"]>[0]) {
  const { letterId } = await makeLetter(game, { characterId: randomUUID() });
  const { operationId } = await desk.plan(letterId, maya);
  if (mode) proxy.set(mode, 1);
  const ended = await desk.press(operationId, maya);
  return { letterId, operationId, ended };
}

const rowOf = async (letterId: string) => {
  const { rows } = await game.query(
    `select l.requeued_retry_job_id::text as "jobId", count(j.*)::int as jobs from persistence_job_dead_letters l
       left join persistence_retry_jobs j on j.retry_job_id = l.requeued_retry_job_id where l.dead_letter_id = $1 group by 1`,
    [letterId],
  );
  return rows[0] as { jobId: string | null; jobs: number };
};

/** The intent was `seconds` ago by the console's clock, and its signature with it. */
const moveIntent = (operationId: string, seconds: number) =>
  admin.query(
    `update backstop.operations set intended_at = intended_at - $2 * interval '1 s', sendable_until = sendable_until - $2 * interval '1 s'
      where operation_id = $1`,
    [operationId, seconds],
  );

test("requeued by the seed's route, awaited, and then left unproved: never recovered", async () => {
  const { letterId, operationId, ended } = await pressed();
  expect(ended).toMatchObject({ kind: "sent", view: { state: "answered", outcome: "awaiting" } });
  const { jobId, jobs } = await rowOf(letterId);
  expect(jobs).toBe(1);
  await followOutcomes(desk.own, doorOf);
  expect(await readOperation(desk.own, operationId)).toMatchObject({ outcome: "awaiting", newJobId: jobId });
  await game.query("delete from persistence_retry_jobs where retry_job_id = $1", [jobId]);
  await followOutcomes(desk.own, doorOf);
  expect(await readOperation(desk.own, operationId)).toMatchObject({ outcome: "left_unproved" });
});

test("the answer is cut after the commit: unknown, and then read from the letter's row as ours", async () => {
  const { letterId, operationId, ended } = await pressed({ kind: "cut_before_reply", match: "/requeue" });
  expect(ended).toMatchObject({ kind: "sent", view: { state: "unknown", outcome: "unknown" } });
  expect(await recoverOperations(desk.own, doorOf)).toBe(1);
  expect(await readOperation(desk.own, operationId)).toMatchObject({
    answer: "requeued",
    outcome: "awaiting",
    newJobId: (await rowOf(letterId)).jobId,
  });
});

test("cut before the game server saw it: not sent only once nothing can land on the game's clock", async () => {
  const { letterId, operationId, ended } = await pressed({ kind: "cut_before_request", match: "/requeue" });
  expect(ended).toMatchObject({ kind: "sent", view: { state: "unknown" } });
  expect(await recoverOperations(desk.own, doorOf), "its signature still lives").toBe(0);
  await moveIntent(operationId, 3_600);
  expect(await recoverOperations(desk.own, doorOf)).toBe(1);
  expect(await readOperation(desk.own, operationId)).toMatchObject({ state: "not_sent" });
  expect(await rowOf(letterId)).toEqual({ jobId: null, jobs: 0 });
});

test("absent from the letter's row counts by the game's own clock", async () => {
  const { letterId } = await makeLetter(game, { characterId: randomUUID() });
  const { rows } = await game.query("select extract(epoch from clock_timestamp()) * 1000 as now");
  const found = await desk.queue.door.readBack(randomUUID(), [{ letterId, expect: null }], maya.userId);
  expect(found).toEqual({ kind: "absent", engineMs: expect.any(Number) });
  expect(found.kind === "absent" && Math.abs((found.engineMs ?? 0) - Number(rows[0].now))).toBeLessThan(5_000);
});

test("the letter was requeued long before the intent: by somebody else, and said so", async () => {
  const { letterId, operationId } = await pressed({ kind: "cut_before_request", match: "/requeue" });
  const jobId = randomUUID();
  await game.query(
    "update persistence_job_dead_letters set requeued_at = now() - interval '1 hour', requeued_retry_job_id = $2 where dead_letter_id = $1",
    [letterId, jobId],
  );
  expect(await recoverOperations(desk.own, doorOf)).toBe(1);
  expect(await readOperation(desk.own, operationId)).toMatchObject({
    answer: "already_requeued",
    outcome: "requeued_elsewhere",
  });
});
