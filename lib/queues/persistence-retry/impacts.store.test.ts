import type { Pool } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Impact } from "@/lib/domain/impact";
import type { Queue } from "@/lib/queues/queue";
import { type JobState, makeJob } from "@/scripts/testing/game";
import { SEED_TABLES } from "@/scripts/testing/given-stores";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { persistenceRetry } from ".";

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

async function write(state: JobState, impact: string | null, age: string): Promise<void> {
  const jobId = await makeJob(game, state);
  await game.query(
    "update persistence_retry_jobs set session_impact = $2, created_at = clock_timestamp() - $3::interval where retry_job_id = $1",
    [jobId, impact, age],
  );
}

async function read() {
  const reading = await queue.impacts?.readImpacts();
  if (reading?.kind !== "read") throw new Error(JSON.stringify(reading));
  return reading.value;
}

test("waiting writes are counted by their impact, with how many wait for too long and the oldest age", async () => {
  await write("due", "SessionDegraded", "4 minutes 10 seconds");
  await write("retrying", "SessionDegraded", "3 minutes");
  await write("expired", "SessionDegraded", "10 seconds");
  await write("leased", "SessionDegraded", "9 minutes");
  await write("scheduled", "None", "10 minutes");
  await write("due", null, "1 second");
  await write("due", "DisconnectRequired", "1 second");
  await write("due", "<b>Frozen</b>", "1 second");
  const counts = new Map((await read()).map((count) => [count.impact, count]));
  expect(Object.fromEntries([...counts].map(([impact, { waiting, late }]) => [impact, [waiting, late]]))).toEqual({
    SessionDegraded: [3, 2],
    None: [1, 1],
    not_recorded: [1, 0],
    DisconnectRequired: [1, 0],
    other: [1, 0],
  });
  expect(Math.floor((counts.get("SessionDegraded")?.oldestMs ?? 0) / 1_000)).toBe(250);
  // Each number opens its rows: as many, and of that impact alone.
  for (const [impact, { waiting }] of counts) {
    const filter = { impact: impact as Impact, states: ["due", "scheduled", "retrying", "expired"] as const };
    const { rows } = (await queue.jobs?.listJobs({ ...filter, states: [...filter.states] }, { limit: 50 })) ?? {
      rows: [],
    };
    expect(rows).toHaveLength(waiting);
    const found = await queue.jobs?.countJobs({ impact: impact as Impact });
    expect(filter.states.reduce((sum, state) => sum + (found?.[state].count ?? 0), 0)).toBe(waiting);
  }
  const [disconnect] = (await queue.jobs?.listJobs({ impact: "DisconnectRequired" }, { limit: 5 }))?.rows ?? [];
  expect(disconnect?.impact).toBe("DisconnectRequired");
});

test("nothing waits: no counts, and no error", async () => {
  await write("leased", "SessionDegraded", "9 minutes");
  expect(await read()).toEqual([]);
});

test("a store whose rows have no impact says so; its rows are found as not recorded", async () => {
  await stores.close();
  await open("bare");
  await makeJob(game, "due", { characterId: "00000000-0000-0000-0000-0000000000a1" });
  const sentence = "The rows have no session_impact: which of them degrade a session cannot be told.";
  expect(await queue.impacts?.readImpacts()).toEqual({ kind: "not_configured", sentence });
  expect(await queue.readGaps()).toContain(sentence);
  expect((await queue.jobs?.listJobs({ impact: "not_recorded" }, { limit: 5 }))?.rows).toHaveLength(1);
  expect((await queue.jobs?.listJobs({ impact: "SessionDegraded" }, { limit: 5 }))?.rows).toHaveLength(0);
});
