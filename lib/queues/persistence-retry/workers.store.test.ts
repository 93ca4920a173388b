import type { Pool } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Workers } from "@/lib/domain/worker";
import { sayLostLeases } from "@/lib/domain/worker-words";
import type { JobFilter, Queue } from "@/lib/queues/queue";
import { makeJob } from "@/scripts/testing/game";
import { SEED_TABLES } from "@/scripts/testing/given-stores";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { persistenceRetry } from ".";
import { UNCOUNTED } from "./features";

let stores: TestStores;
let game: Pool;
let queue: Queue;

async function open(template?: "bare"): Promise<void> {
  stores = await openStores(template);
  game = stores.pool("engine");
  if (template) await game.query(SEED_TABLES);
  queue = persistenceRetry({ game: stores.pool("backstop_read"), redis: null, rpc: null });
}
beforeEach(() => open());
afterEach(() => stores.close());

async function read(): Promise<Workers> {
  const reading = await queue.workers?.readWorkers();
  if (reading?.kind !== "read") throw new Error(JSON.stringify(reading));
  return reading.value;
}

/** A leased or expired job of an owner. */
async function held(state: "leased" | "expired", owner: string | null): Promise<string> {
  const jobId = await makeJob(game, state);
  await game.query("update persistence_retry_jobs set lease_owner = $2 where retry_job_id = $1", [jobId, owner]);
  return jobId;
}

type Counted = { done?: number; failed?: number; lost?: number; stale?: number; kind?: string };

/** What a worker counted in a minute, so many minutes ago. */
async function counted(worker: string, minutesAgo: number, what: Counted): Promise<void> {
  const { done = 0, failed = 0, lost = 0, stale = 0, kind = "combat_rewards" } = what;
  await game.query(
    `insert into persistence_retry_minute_counts (minute, job_kind, worker, done, failed, lost_leases, stale_settles)
     values (date_trunc('minute', clock_timestamp()) - $1 * interval '1 minute', $2, $3, $4, $5, $6, $7)`,
    [minutesAgo, kind, worker, done, failed, lost, stale],
  );
}

const rowsOf = async (filter: JobFilter) => (await queue.jobs?.listJobs(filter, { limit: 500 }))?.rows ?? [];

test("each worker has the leases that it holds, how many have ended, and when the oldest of them ends", async () => {
  for (const owner of ["engine-x", "engine-x", "engine-y"]) await held("leased", owner);
  const expired = await held("expired", "engine-y");
  await held("expired", "engine-gone");
  const { workers, atMs } = await read();
  expect(workers.map(({ name, state, leases: { live, expired: ended } }) => ({ name, state, live, ended }))).toEqual([
    { name: "engine-gone", state: "lost", live: 0, ended: 1 },
    { name: "engine-y", state: "late", live: 1, ended: 1 },
    { name: "engine-x", state: "alive", live: 2, ended: 0 },
  ]);
  const [row] = await rowsOf({ owner: "engine-y", states: ["expired"] });
  expect(row?.id).toBe(expired);
  expect(workers[1]?.leases.firstEndMs).toBe(row?.lease?.untilMs);
  expect(row?.lease?.untilMs).toBeLessThan(atMs);
  // The number is a link: as many rows are behind it.
  for (const { name, leases } of workers)
    expect(await rowsOf({ owner: name })).toHaveLength(leases.live + leases.expired);
});

test("lost leases and refused settles are of the last hour and of the worker that they are counted for", async () => {
  await counted("engine-x", 1, { done: 5, lost: 2 });
  await counted("engine-x", 1, { lost: 1, kind: "character_location" });
  await counted("engine-y", 20, { done: 7, failed: 1, lost: 1, stale: 4 });
  await counted("engine-y", 59, { done: 1 });
  await counted("engine-old", 61, { done: 1, lost: 50 });
  const told = await read();
  const workers = told.workers.toSorted((a, b) => a.name.localeCompare(b.name));
  expect(workers.map(({ name }) => name)).toEqual(["engine-x", "engine-y"]);
  expect(workers.map(({ counts }) => counts)).toMatchObject([
    { done: 5, failed: 0, lostLeases: 3, staleSettles: 0 },
    { done: 8, failed: 1, lostLeases: 1, staleSettles: 4 },
  ]);
  expect(sayLostLeases(told)).toBe(
    "4 leases were lost in the last hour, by engine-x (3) and engine-y (1). 4 late settles were refused, of engine-y (4).",
  );
  const minutes = workers[0]?.counts?.minutes;
  expect(minutes?.done).toEqual([...Array(13).fill(0), 5, 0]);
  expect(workers[1]?.counts?.minutes.done).toEqual(Array(15).fill(0));
});

test("an owner that is null, long, empty or HTML is one worker each, and breaks nothing", async () => {
  const html = '<img src=x onerror="alert(1)">';
  for (const owner of [null, "x".repeat(300), "", html, html, "a\nb"]) await held("leased", owner);
  await counted(html, 0, { done: 3 });
  const { workers } = await read();
  expect(workers.map(({ name, leases }) => [name, leases.live])).toEqual([
    ["", 1],
    [html, 2],
    ["a\nb", 1],
    ["unknown", 1],
    ["x".repeat(201), 1],
  ]);
  expect(workers[1]?.counts?.done).toBe(3);
  expect(await rowsOf({ owner: "unknown" })).toHaveLength(1);
  expect(await rowsOf({ owner: html })).toHaveLength(2);
});

test("of very many workers the ones with the most are told, and that there are more", async () => {
  await game.query(`insert into persistence_retry_minute_counts (minute, job_kind, worker, done, lost_leases)
    select date_trunc('minute', clock_timestamp()), 'combat_rewards', 'engine-' || n, 1, n from generate_series(1, 300) n`);
  const { workers, more } = await read();
  expect(workers).toHaveLength(50);
  expect(more).toBe(true);
  expect(workers.some(({ name }) => name === "engine-300")).toBe(true);
});

test("a row that lost its lease says how often, and one of a store without the column does not", async () => {
  const jobId = await makeJob(game, "due");
  await game.query("update persistence_retry_jobs set lost_leases = 2 where retry_job_id = $1", [jobId]);
  expect(await rowsOf({})).toMatchObject([{ lostLeases: 2 }]);
  await stores.close();
  await open("bare");
  await makeJob(game, "expired", { characterId: jobId });
  expect(await rowsOf({})).toMatchObject([{ lostLeases: null, impact: null }]);
  expect(await queue.readGaps()).toContain(
    "The rows have no lost_leases: which of them keep losing their lease cannot be told.",
  );
});

test("a store without counts tells the leases alone and says so; one without the jobs is a sentence", async () => {
  await stores.close();
  await open("bare");
  await makeJob(game, "expired", { characterId: "00000000-0000-0000-0000-0000000000a1" });
  expect(await read()).toMatchObject({
    uncounted: UNCOUNTED,
    workers: [{ name: "persist-1:42", state: "untold", leases: { live: 0, expired: 1 }, counts: null }],
  });
  expect(await queue.readGaps()).toContain(UNCOUNTED);
});

test("the reading role may not see the jobs: a sentence, and no exception", async () => {
  await game.query("revoke select on persistence_retry_jobs from backstop_read");
  const unread = {
    kind: "failed",
    code: "not_readable",
    sentence: "The table persistence_retry_jobs is missing here, may not be read, or has not the seed's columns.",
  };
  expect(await queue.workers?.readWorkers()).toEqual(unread);
  expect(await queue.impacts?.readImpacts()).toEqual(unread);
});
