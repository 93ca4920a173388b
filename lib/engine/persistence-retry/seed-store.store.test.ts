import { readFileSync } from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertLetter, rewardsJob } from "@/lib/engine/testing/maker";
import { overlapping } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { inspectDeadLetters, requeueBatch, requeueOne, storeShape } from ".";

// A game server's own store: the seed's two tables with the seed's columns, and nothing else.
let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores("bare");
  pool = await stores.warmPool("engine", 22);
  const seed = new URL("../migrations/game/0011_persistence_retry_jobs.sql", import.meta.url);
  await pool.query(readFileSync(seed, "utf8"));
});
afterAll(() => stores.close());

const person = { characterId: crypto.randomUUID(), realmId: "aurelia", zoneId: "z", version: "7" };
const tables = async () =>
  (
    await pool.query(
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
    )
  ).rows.map((row) => row.relname);

test("it is recognised for what it is", async () => {
  expect(await storeShape(pool)).toEqual({ traces: false });
});

test("of twenty requeues at once one makes a job, on the seed's columns alone", async () => {
  const letter = await insertLetter(pool, rewardsJob(person));
  const lock = {
    text: "select 1 from persistence_job_dead_letters where dead_letter_id = $1 for update",
    values: [letter],
  };
  const presses = Array.from({ length: 20 }, () => () => requeueOne(pool, { deadLetterId: letter, actor: "a" }));
  const settled = await overlapping(pool, lock, presses);
  const endings = settled.map((each) => (each.status === "fulfilled" ? each.value : { kind: "threw" as const }));
  const [won, ...more] = endings.filter((ending) => ending.kind === "requeued");
  expect(more).toEqual([]);
  const job = won?.kind === "requeued" ? won.retryJobId : "";
  const known = { kind: "already_requeued", retryJobId: job, operationId: null, actor: null };
  expect(endings.filter((ending) => ending.kind === "already_requeued")).toHaveLength(19);
  expect(endings.find((ending) => ending.kind === "already_requeued")).toMatchObject(known);
  const { rows } = await pool.query("select retry_job_id, attempt_count, payload from persistence_retry_jobs");
  const { rows: letters } = await pool.query("select payload, requeued_retry_job_id from persistence_job_dead_letters");
  expect(rows).toEqual([{ retry_job_id: job, attempt_count: 0, payload: letters[0].payload }]);
  expect(letters[0].requeued_retry_job_id).toBe(job);
});

test("inspection counts, lists, clamps, and takes source and impact from the payload", async () => {
  const letters = [await insertLetter(pool, rewardsJob(person)), await insertLetter(pool, rewardsJob(person))];
  const broken = await insertLetter(pool, rewardsJob(person), { payload: "{", error: `${"é".repeat(2_000)}` });
  const all = await inspectDeadLetters(pool, Number.NaN);
  expect(all).toMatchObject({ pending_retry_jobs: 1, active_dead_letters: 3 });
  expect(all.dead_letters.map((each) => each.dead_letter_id)).toEqual([broken, ...[...letters].reverse()]);
  expect(all.dead_letters[1]).toMatchObject({
    source: "combat_rewards",
    session_impact: "SessionDegraded",
    session_token: "session-token-of-a-test",
  });
  expect(all.dead_letters[0]).toMatchObject({ source: null, session_token: null, error_bytes: 4_000 });
  expect(all.dead_letters[0]?.error).toBe("é".repeat(1_024));
  expect((await inspectDeadLetters(pool, -5)).dead_letters).toHaveLength(1);
  expect((await inspectDeadLetters(pool, 10_000)).dead_letters).toHaveLength(3);
});

test("an operation needs a store that keeps it, and nothing was made here", async () => {
  const ask = { operationId: crypto.randomUUID(), actor: "a", items: [] };
  await expect(requeueBatch(pool, ask)).rejects.toThrow("keeps operations");
  expect(await tables()).toEqual(["persistence_job_dead_letters", "persistence_retry_jobs"]);
});
