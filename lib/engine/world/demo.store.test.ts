import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { readFacts, requeueBatch } from "@/lib/engine/persistence-retry";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { startWorker, type Worker } from "@/lib/engine/persistence-retry/worker";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { overlapping } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { breakCatalog, mendCatalog, noteViewer, readDemoState } from ".";
import { takeWheel } from "./driver";
import { everyday } from "./everyday";
import { expedition } from "./expedition";
import { pickCharacters } from "./pick-characters";
import { runWorld } from "./run-world";
import { seedWorld } from "./seed";

// Whole lives of a world: much longer where others use the machine.
vi.setConfig({ testTimeout: 120_000 });

let stores: TestStores;
let pool: pg.Pool;
let signal: WakeSignal;
let worker: Worker | null = null;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 12);
  await seedWorld(pool);
});
afterAll(() => stores.close());
afterEach(async () => {
  await worker?.stop();
  worker = null;
});

function start() {
  signal = new WakeSignal(64);
  const counters = createCounters();
  worker = startWorker({ pool, settings: retrySettings(), signal, counters, workerId: "w" });
  return { pool, signal, counters, secret: null };
}
const rows = async (sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows;
async function untilSettled(): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    if ((await rows("select 1 from persistence_retry_jobs")).length === 0) return;
    await sleep(20);
  }
  throw new Error("jobs are left after 40 s");
}
/** Everything that the open break produces, as fast as it will. */
async function produce(deps: Parameters<typeof expedition>[0]): Promise<number> {
  let writes = 0;
  while (await expedition(deps)) writes += 1;
  await untilSettled();
  return writes;
}

test("the world has at most 200 characters, each with a name of its own, and seeding again adds nobody", async () => {
  await seedWorld(pool);
  const [world] = await rows("select count(*)::int as people, count(distinct name)::int as names from characters");
  expect(world.people).toBeLessThanOrEqual(200);
  expect(world.people).toBeGreaterThan(100);
  expect(world.names).toBe(world.people);
});

test("everyday writes are real: versions, keys and the ledger move, directly and through the retry path", async () => {
  const deps = start();
  for (let moment = 0; moment < 8; moment += 1) await everyday(deps, 10);
  await untilSettled();
  const [moved] = await rows("select sum(version - 1)::int as writes from characters");
  const [keys] = await rows("select count(*)::int as n from persistence_applied_keys");
  const [through] = await rows("select sum(done)::int as n from persistence_retry_minute_counts");
  expect(moved.writes).toBe(keys.n);
  expect(keys.n).toBe(80);
  expect(through.n).toBeGreaterThan(0);
  expect(through.n).toBeLessThan(60);
  expect(await rows("select 1 from persistence_job_dead_letters")).toEqual([]);
});

test("two breaks at once make one, and the catalog lacks one zone that nothing refers to", async () => {
  const lock = { text: "lock table demo_breaks in exclusive mode", values: [] };
  const settled = await overlapping(pool, lock, [() => breakCatalog(pool, "a"), () => breakCatalog(pool, "b")]);
  const kinds = settled.map((each) => (each.status === "fulfilled" ? each.value.kind : String(each.reason)));
  expect(kinds.sort()).toEqual(["already_broken", "broken"]);
  const state = await readDemoState(pool);
  expect(await rows("select 1 from zone_catalog where zone_id = $1", state.zone_id)).toEqual([]);
  expect(await rows("select 1 from demo_breaks")).toHaveLength(1);
  expect(state).toMatchObject({ letters: 0, letters_max: 40, zone_name: "Ashfall Caldera" });
});

test("a break makes at most forty letters, of both kinds, by the database's own error, and then stops", async () => {
  const deps = start();
  expect(await produce(deps)).toBe(40);
  expect(await expedition(deps)).toBe(false);
  const letters = await rows(
    "select job_kind, count(*)::int as n, count(distinct character_id)::int as people, min(error) as error from persistence_job_dead_letters group by 1 order by 1",
  );
  expect(letters.map(({ job_kind, n, people }) => [job_kind, n, people])).toEqual([
    ["character_location", 20, 20],
    ["combat_rewards", 20, 20],
  ]);
  expect(letters[0].error).toMatch(
    /^ERROR 23503: .*"characters_zone_id_fkey"\nDETAIL: Key \(zone_id\)=\(ashfall_caldera\)/,
  );
  expect(letters[1].error).toMatch(/^ERROR 23503: .*"reward_ledger_zone_id_fkey"/);
  expect(await readDemoState(pool)).toMatchObject({ letters: 40, broken_since: expect.any(String) });
});

test("the world leaves a character with an open letter alone, and goes on with the others", async () => {
  const deps = start();
  const held = await rows(
    "select c.* from characters c join persistence_job_dead_letters l using (character_id) order by 1",
  );
  for (let moment = 0; moment < 10; moment += 1) await everyday(deps, 10);
  await untilSettled();
  expect(held).toHaveLength(40);
  expect(
    await rows("select c.* from characters c join persistence_job_dead_letters l using (character_id) order by 1"),
  ).toEqual(held);
});

test("it never mends itself; once mended, every letter is safe, recovers, and the row holds what its payload says", async () => {
  const deps = start();
  expect((await readDemoState(pool)).broken_since).not.toBeNull();
  expect((await mendCatalog(pool, "op")).kind).toBe("mended");
  expect((await mendCatalog(pool, "op")).kind).toBe("not_broken");
  expect(await readDemoState(pool)).toMatchObject({ broken_since: null, zone_id: null });
  const letters = await rows("select dead_letter_id from persistence_job_dead_letters where requeued_at is null");
  const ids = letters.map((letter) => letter.dead_letter_id as string);
  const { facts } = await readFacts(pool, ids);
  for (const fact of facts) {
    expect(fact).toMatchObject({ decodes: { ok: true }, key_applied: null, newer_jobs: [], newer_letters: [] });
    expect(fact.character?.version).toBe(fact.job?.character_version);
    expect(fact.character?.realm_id).toBe(fact.job?.realm_id);
    expect(fact.fields.find((field) => field.field === "zone_catalog")?.now).toBe("Ashfall Caldera");
  }
  const items = facts.map((fact) => ({
    dead_letter_id: fact.dead_letter_id,
    expect: { character_version: fact.character?.version },
  }));
  const ending = await requeueBatch(pool, { operationId: randomUUID(), actor: "op", items });
  if (ending.kind !== "answered") throw new Error(ending.kind);
  expect(new Set(ending.answers.map((answer) => answer.answer))).toEqual(new Set(["requeued"]));
  for (let moment = 0; moment < 5; moment += 1) await everyday(deps, 10);
  await untilSettled();
  expect(await rows("select outcome, count(*)::int as n from persistence_retry_outcomes group by 1")).toEqual([
    { outcome: "recovered", n: 40 },
  ]);
  for (const { facts: after } of [await readFacts(pool, ids)]) {
    for (const [n, fact] of after.entries()) {
      const promised = facts[n]?.fields.map(({ field, after }) => [field, after]);
      expect(fact.fields.map(({ field, now }) => [field, now])).toEqual(promised);
    }
  }
});

test("a later break works again: another zone, fresh letters, and a repeat of the same life", async () => {
  const deps = start();
  expect((await breakCatalog(pool, "op")).state.zone_name).not.toBe("Ashfall Caldera");
  expect(await produce(deps)).toBe(40);
  expect(await readDemoState(pool)).toMatchObject({ letters: 40 });
  await mendCatalog(pool, "op");
  // However many breaks are left unsettled, the last one makes fewer letters, and everyday life goes on.
  for (let round = 0; round < 4; round += 1) {
    await breakCatalog(pool, "op");
    await produce(deps);
    await mendCatalog(pool, "op");
  }
  expect((await pickCharacters(pool, 200)).length).toBeGreaterThanOrEqual(20);
  expect(await everyday(deps, 5)).toBe(5);
});

test("one engine drives the world at a time; without a viewer it idles, and wakes when somebody looks", async () => {
  await pool.query("update demo_world set driver = null, driver_until = null");
  const lock = { text: "select 1 from demo_world for update", values: [] };
  const settled = await overlapping(pool, lock, [() => takeWheel(pool, "a"), () => takeWheel(pool, "b")]);
  const drives = settled.map((each) => (each.status === "fulfilled" ? each.value : "threw"));
  expect(drives.sort()).toEqual(["drive", "other"]);
  const [{ driver }] = await rows("select driver from demo_world");
  await pool.query("update demo_world set viewer_seen_at = clock_timestamp() - interval '31 minutes'");
  expect(await takeWheel(pool, driver)).toBe("idle");
  expect((await readDemoState(pool)).idle).toBe(true);
  await noteViewer(pool);
  expect(await takeWheel(pool, driver)).toBe("drive");
  expect((await readDemoState(pool)).idle).toBe(false);
});

test("the very first start breaks the catalog once, by system; later starts do not", async () => {
  const fresh = await openStores();
  const freshPool = fresh.pool("engine");
  try {
    for (const _start of ["first", "second"]) {
      const stop = new AbortController();
      const deps = { pool: freshPool, signal: new WakeSignal(64), counters: createCounters(), secret: null };
      const running = runWorld(deps, "w", stop.signal);
      await sleep(1_500);
      stop.abort();
      await running;
      await mendCatalog(freshPool, "op");
    }
    const { rows: breaks } = await freshPool.query("select broken_by from demo_breaks");
    expect(breaks).toEqual([{ broken_by: "system" }]);
    const { rows: writes } = await freshPool.query("select count(*)::int as n from persistence_applied_keys");
    expect(writes[0].n).toBeGreaterThan(10);
  } finally {
    await fresh.close();
  }
});
