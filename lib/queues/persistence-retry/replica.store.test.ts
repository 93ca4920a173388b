import { randomUUID } from "node:crypto";
import type pg from "pg";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RequeueDoor } from "@/lib/queues/queue";
import { type Services, startServices } from "@/scripts/services";
import { scratchState } from "@/scripts/services/scratch";
import { startEngine, type TestEngine } from "@/scripts/testing/engine";
import { makeLetter } from "@/scripts/testing/game";
import { SEED_TABLES } from "@/scripts/testing/given-stores";
import { type Standby, startStandby } from "@/scripts/testing/standby";
import { persistenceRetry } from ".";

// The desk reads a standby whose replay is held, while the engine requeues on the primary. What the standby does not
// show yet proves nothing.

const scratch = scratchState();
let services: Services;
let standby: Standby;
let engine: TestEngine;
let primary: pg.Pool;
let reader: pg.Pool;
let door: RequeueDoor;

beforeAll(async () => {
  services = await startServices({ ...scratch, fast: true, endWithStarter: true });
  const { postgres, redis, secrets } = services;
  primary = new Pool({ connectionString: postgres.url("engine"), max: 2 });
  await primary.query(SEED_TABLES);
  engine = await startEngine(
    { postgresUrl: () => postgres.url("engine"), redisUrl: () => redis.url("engine"), ...secrets },
    { BACKSTOP_ENGINE_ROUTES: "seed" },
  );
  standby = await startStandby(services, scratch.stateDir, scratch.binDir);
  reader = new Pool({ connectionString: standby.url(postgres.url("backstop_read")), max: 2 });
  const queue = persistenceRetry({ game: reader, redis: null, rpc: engine.client() });
  if (!queue.door) throw new Error("no door");
  door = queue.door;
}, 120_000);
afterAll(async () => {
  await Promise.all([reader?.end(), primary?.end()]);
  await engine?.end();
  await standby?.end();
  await services?.stop();
  await scratch.remove();
});

const press = (letterId: string) => door.requeue(randomUUID(), [{ letterId, expect: null }], "user-1", Date.now());

async function seenLetter(): Promise<string> {
  const { letterId } = await makeLetter(primary, { characterId: randomUUID() });
  await standby.catchUp();
  return letterId;
}

test("a standby can be read: depths, the list, a letter and its preflight", async () => {
  const letterId = await seenLetter();
  const queue = persistenceRetry({ game: reader, redis: null, rpc: engine.client() });
  expect(await queue.readDepths()).toMatchObject({ kind: "read", value: { dead: 1 } });
  expect(await queue.readGaps()).toContain(
    "This Postgres is a replica: it may lag, and an outcome is known only once it is seen here.",
  );
  expect(await queue.letters?.findLetter(letterId)).toMatchObject({ state: "active" });
  const [found] = await door.preflight([letterId], "user-1");
  expect(found?.findings.map(({ code, severity }) => [code, severity])).toContainEqual(["no_facts", "warn"]);
  expect(found?.findings.find(({ code }) => code === "store_fit")).toMatchObject({
    severity: "warn",
    title: "Nothing can be written: Postgres is in recovery",
    evidence: expect.arrayContaining([{ label: "seen on", value: "the desk's own connection" }]),
  });
});

test("a requeued job that the standby has not seen yet is awaited, not taken for one that has left", async () => {
  const letterId = await seenLetter();
  await standby.freeze();
  const sent = await press(letterId);
  const [answer] = sent.kind === "answered" ? sent.answers : [];
  if (answer?.answer !== "requeued") throw new Error(`not requeued: ${JSON.stringify(sent)}`);
  const item = { letterId, newJobId: answer.retry_job_id };

  expect(await door.readOutcomes([item])).toEqual(new Map());
  expect(await door.readBack(randomUUID(), [{ letterId, expect: null }], "user-1")).toMatchObject({
    kind: "unread",
    code: "replica",
    sentence: "Only a replica can be read here, and it may lag behind the requeue.",
  });

  await standby.catchUp();
  expect(await door.readOutcomes([item])).toEqual(new Map());
  expect(await door.readBack(randomUUID(), [{ letterId, expect: null }], "user-1")).toMatchObject({
    kind: "answered",
    answers: [{ answer: "requeued", retry_job_id: answer.retry_job_id }],
  });

  await primary.query("delete from persistence_retry_jobs where retry_job_id = $1", [answer.retry_job_id]);
  expect(await door.readOutcomes([item])).toEqual(new Map());
  await standby.catchUp();
  expect((await door.readOutcomes([item])).get(letterId)).toMatchObject({ outcome: "left_unproved" });
});

test("a letter that was requeued elsewhere, unseen by the standby, has not left: its job is named", async () => {
  const letterId = await seenLetter();
  await standby.freeze();
  const other = await engine.client().requeueOne(letterId, { operationId: randomUUID(), actor: "tool" });
  const jobId = other.kind === "ok" ? other.value.retry_job_id : null;
  expect(await press(letterId)).toMatchObject({
    kind: "answered",
    answers: [{ answer: "already_requeued", dead_letter_id: letterId, retry_job_id: jobId }],
  });
  await standby.catchUp();
});
