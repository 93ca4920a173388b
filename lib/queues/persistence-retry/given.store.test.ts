import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Pool } from "pg";
import { afterEach, expect, test } from "vitest";
import { createPool } from "@/lib/db/pg";
import { createRpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { failedReading } from "@/lib/queues/failed-reading";
import type { Queue } from "@/lib/queues/queue";
import { makeJob, makeLetter } from "@/scripts/testing/game";
import { SEED_TABLES } from "@/scripts/testing/given-stores";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { persistenceRetry } from ".";

// Somebody's Postgres is not as ours: what it lacks, and what the reading role may not see, is said in words, and
// everything else goes on.

type Given = { stores: TestStores; game: Pool; queue: Queue; letterId: string; requeuedId: string; jobId: string };
let open: TestStores | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

/** The seed's two tables with an open letter, a requeued one and a job, then changed by `sql` as the owner. */
async function given(sql = "", rpc: Parameters<typeof persistenceRetry>[0]["rpc"] = null): Promise<Given> {
  const stores = await openStores("bare");
  open = stores;
  const game = stores.pool("engine");
  await game.query(SEED_TABLES);
  const letter = () => makeLetter(game, { characterId: randomUUID() });
  const [{ letterId }, requeued] = [await letter(), await letter()];
  const jobId = await makeJob(game, "due", { characterId: randomUUID() });
  await game.query(
    "update persistence_job_dead_letters set requeued_at = now(), requeued_retry_job_id = $2 where dead_letter_id = $1",
    [requeued.letterId, jobId],
  );
  if (sql) await game.query(sql);
  const queue = persistenceRetry({ game: stores.pool("backstop_read"), redis: null, rpc });
  return { stores, game, queue, letterId, requeuedId: requeued.letterId, jobId };
}

const page = { limit: 10 };
const statesOf = ({ letters }: Queue, ...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await letters?.findLetter(id))?.state));
const said = (work: Promise<unknown> | undefined) =>
  Promise.resolve(work).then(
    () => "nothing",
    (error) => failedReading(error, "Postgres").sentence,
  );

test("letters without requeued_at: counted as active, and their page says what is missing", async () => {
  const { queue, letterId, requeuedId } = await given(
    "alter table persistence_job_dead_letters drop column requeued_at, drop column requeued_retry_job_id",
  );
  expect(await queue.readDepths()).toMatchObject({ kind: "read", value: { dead: 2, due: 1 } });
  expect(await queue.readGaps()).toContain(
    "The dead letters have no requeued_at: this store is older than requeueing.",
  );
  expect(await statesOf(queue, letterId, requeuedId)).toEqual(["active", "active"]);
  expect(await queue.letters?.findLetter(letterId)).toMatchObject({ state: "active", lives: [{ end: "dead" }] });
  const [found] = (await queue.door?.preflight([letterId], "user-1")) ?? [];
  expect(found?.findings.map(({ code }) => code)).toContain("engine");
  expect(await queue.door?.readBack(randomUUID(), [{ letterId, expect: null }], "user-1")).toEqual({
    kind: "unread",
    code: "not_configured",
    sentence: "This store has no requeued_at, so an answer cannot be read back from it.",
  });
  const item = { letterId, newJobId: randomUUID() };
  expect((await queue.door?.readOutcomes([item]))?.get(letterId)).toMatchObject({ outcome: "left_unproved" });
});

test("the reading role may not see the jobs: said so, and the letters go on", async () => {
  const { queue, letterId, requeuedId, jobId } = await given(
    "revoke select on persistence_retry_jobs from backstop_read",
  );
  const missing = "The table persistence_retry_jobs is missing here, may not be read, or has not the seed's columns.";
  expect(await queue.readGaps()).toContain(missing);
  expect(await queue.readDepths()).toEqual({
    kind: "failed",
    code: "not_readable",
    sentence: "The reading role has no table persistence_retry_jobs.",
  });
  const { jobs } = queue;
  for (const read of [() => jobs?.listJobs({}, page), () => jobs?.countJobs({}), () => jobs?.listKinds()])
    expect(await said(read())).toBe(missing);
  // Whether the other's job still waits cannot be told, so nothing is claimed.
  expect(await statesOf(queue, letterId, requeuedId)).toEqual(["active", "awaiting"]);
  expect(await queue.letters?.findLetter(requeuedId)).toMatchObject({ lives: [{ end: "dead" }, { end: "waiting" }] });
  const [found] = (await queue.door?.preflight([letterId], "user-1")) ?? [];
  expect(found?.findings.find(({ code }) => code === "newer_work")).toMatchObject({ severity: "ok" });
  expect(await queue.door?.readOutcomes([{ letterId: requeuedId, newJobId: jobId }])).toEqual(new Map());
});

test("the reading role may not see the letters: said so, and the jobs go on", async () => {
  const { queue, letterId, jobId } = await given("revoke select on persistence_job_dead_letters from backstop_read");
  const missing =
    "The table persistence_job_dead_letters is missing here, may not be read, or has not the seed's columns.";
  expect(await queue.readGaps()).toContain(missing);
  expect(await queue.readDepths()).toMatchObject({ kind: "read", value: { dead: null, due: 1 } });
  expect((await queue.jobs?.listJobs({}, page))?.rows).toMatchObject([{ id: jobId }]);
  const { letters, door } = queue;
  expect(await said(letters?.findLetter(letterId))).toBe(missing);
  expect(await said(door?.preflight([letterId], "user-1"))).toBe(missing);
  expect(await door?.readOutcomes([{ letterId, newJobId: randomUUID() }])).toEqual(new Map());
});

test("neither table is there: each page says which one, and none breaks", async () => {
  const { queue } = await given("drop table persistence_retry_jobs, persistence_job_dead_letters");
  expect(await queue.readDepths()).toMatchObject({ kind: "failed", code: "not_readable" });
  expect((await queue.readGaps()).slice(0, 2)).toEqual([
    "The table persistence_retry_jobs is missing here, may not be read, or has not the seed's columns.",
    "The table persistence_job_dead_letters is missing here, may not be read, or has not the seed's columns.",
  ]);
});

test("a table `characters` of another make gives no names, and takes no list with it", async () => {
  const { queue, letterId } = await given(`
    create table characters (character_id bigint primary key, name text);
    create table persistence_retry_outcomes (retry_job_id text, dead_letter_id text, outcome int, next_dead_letter_id text, settled_at text);
    create table persistence_retry_attempts (retry_job_id text, attempt text, started_at text, duration_ms text, worker int, error int);`);
  expect((await queue.jobs?.listJobs({}, page))?.rows).toMatchObject([{ subjectName: null }]);
  expect(await queue.letters?.findLetter(letterId)).toMatchObject({ subjectName: null });
  expect(await queue.readGaps()).toHaveLength(6);
});

test("ids without the version bits of RFC 9562 are ids", async () => {
  const { queue, game } = await given("delete from persistence_job_dead_letters");
  const odd = ["00000000-0000-0000-0000-0000000000a1", "ffffffff-0000-f000-f000-0000000000a2"];
  for (const id of odd) {
    const { letterId } = await makeLetter(game, { characterId: randomUUID() });
    await game.query("update persistence_job_dead_letters set dead_letter_id = $2 where dead_letter_id = $1", [
      letterId,
      id,
    ]);
    expect(await queue.letters?.findLetter(id)).toMatchObject({ id });
  }
});

test("a wrong password, a wrong database: each in its own words", async () => {
  const { stores } = await given();
  const ask = async (change: (url: URL) => void) => {
    const url = new URL(stores.postgresUrl("backstop_read"));
    change(url);
    const pool = createPool({ url: url.href, application: "given", max: 1, statementTimeoutMs: 5_000 });
    const reading = await persistenceRetry({ game: pool, redis: null, rpc: null }).readDepths();
    await pool.end();
    return reading;
  };
  expect(await ask((url) => (url.password = "wrong"))).toMatchObject({
    kind: "failed",
    code: "28P01",
    sentence: "The server refuses the password of this role.",
  });
  expect(await ask((url) => (url.pathname = "/nowhere"))).toMatchObject({
    kind: "failed",
    code: "3D000",
    sentence: "The server has no such database.",
  });
});

test("a game server that requeues without naming the job: the store names it", async () => {
  const server = await gameServer({ requeued: true });
  const { queue, game, letterId } = await given("", server.client);
  const press = () => queue.door?.requeue(randomUUID(), [{ letterId, expect: null }], "user-1", Date.now());
  expect(await press()).toMatchObject({ kind: "unknown", code: "job_not_named" });
  const jobId = randomUUID();
  await game.query(
    "update persistence_job_dead_letters set requeued_at = now(), requeued_retry_job_id = $2 where dead_letter_id = $1",
    [letterId, jobId],
  );
  expect(await press()).toMatchObject({ kind: "answered", answers: [{ answer: "requeued", retry_job_id: jobId }] });
  await server.close();
});

test("a game server that says no more than `requeued: false`: what the store shows is said, and nothing else", async () => {
  const server = await gameServer({ requeued: false });
  const { queue, game, letterId, requeuedId, jobId } = await given("", server.client);
  const press = (id: string) =>
    queue.door?.requeue(randomUUID(), [{ letterId: id, expect: null }], "user-1", Date.now());
  expect(await press(requeuedId)).toMatchObject({
    kind: "answered",
    answers: [{ answer: "already_requeued", retry_job_id: jobId, operation_id: null, actor: null }],
  });
  expect(await press(randomUUID())).toMatchObject({ kind: "answered", answers: [{ answer: "not_found" }] });
  await game.query("revoke select on persistence_job_dead_letters from backstop_read");
  expect(await press(letterId)).toMatchObject({ kind: "refused", code: "not_requeued" });
  await server.close();
});

/** Somebody's game server with the seed's two routes, in any language: it answers every requeue the same. */
async function gameServer(answer: { requeued: boolean; retry_job_id?: string }) {
  const server: Server = createServer((request, response) => {
    const offered = request.method === "POST" && request.url?.endsWith("/dead-letters/requeue");
    response.writeHead(offered ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(offered ? answer : { error: "not_found", message: "no such route" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const keys = parseRpcKeys(`k1:${randomBytes(32).toString("base64")}`);
  return {
    client: createRpcClient({ engineUrl: `http://127.0.0.1:${port}`, audience: "game", keys }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
