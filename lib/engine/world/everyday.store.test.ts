import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { KINDS } from "@/lib/engine/persistence-retry/kinds";
import { persistDirectly } from "@/lib/engine/persistence-retry/persist";
import { PersistenceOrigin, sessionImpactOf } from "@/lib/engine/persistence-retry/persistence-session-policy";
import { effectState } from "@/lib/engine/testing/effect-state";
import { insertLetter, newTransfer, transferJob } from "@/lib/engine/testing/maker";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { everyday } from "./everyday";
import { EVERYDAY } from "./everyday-writes";
import { type Picked, pickCharacters } from "./pick-characters";
import { pruneWorld } from "./prune-world";
import { seedWorld } from "./seed";
import { OPEN_ZONES } from "./zones";

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
  await seedWorld(pool);
});
afterAll(() => stores.close());

const count = async (sql: string, ...values: unknown[]) =>
  (await pool.query(`select count(*)::int as n ${sql}`, values)).rows[0].n as number;
const somebody = async () => (await pickCharacters(pool, 1))[0] as Picked;

test("everybody is seeded with looks, clothes and a state; an older world gets what it lacks, and nothing twice", async () => {
  const people = await count("from characters");
  const whole = async () => [
    await count("from character_appearance"),
    await count("from gameplay_state"),
    await count("from (select distinct character_id from character_equipment) as dressed"),
  ];
  expect(await whole()).toEqual([people, people, people]);
  const kept = await somebody();
  const before = await effectState(pool, kept.characterId);
  // As a world of the version before these tables is.
  for (const table of ["character_appearance", "gameplay_state", "character_equipment"]) {
    await pool.query(`delete from ${table} where character_id <> $1`, [kept.characterId]);
  }
  await pool.query(
    "delete from item_catalog i where not exists (select 1 from character_equipment e where e.item_id = i.item_id)",
  );
  await seedWorld(pool);
  expect(await whole()).toEqual([people, people, people]);
  expect(await effectState(pool, kept.characterId)).toEqual(before);
  expect(await count("from characters where version <> 1")).toBe(0);
});

test("everyday writes come from every origin, in all six kinds, with the impact of the policy, and each succeeds", async () => {
  expect(Object.keys(EVERYDAY).sort()).toEqual([...PersistenceOrigin.options].sort());
  expect(Object.values(EVERYDAY).reduce((sum, { of100 }) => sum + of100, 0)).toBe(100);
  expect(Object.values(EVERYDAY).every(({ of100 }) => of100 > 0)).toBe(true);
  const kinds = new Set<string>();
  for (const [origin, { make }] of Object.entries(EVERYDAY)) {
    const picked = await somebody();
    const job = await make(picked, pool);
    kinds.add(job.payload.kind);
    expect(job).toMatchObject({ source: origin, sessionImpact: sessionImpactOf(origin as PersistenceOrigin) });
    expect(OPEN_ZONES.map(({ zoneId }) => zoneId)).toContain(job.payload.zoneId);
    expect(await persistDirectly({ pool }, randomUUID(), job)).toBe("applied");
    expect(
      await count(
        "from characters where character_id = $1 and version = $2::bigint + 1",
        picked.characterId,
        picked.version,
      ),
    ).toBe(1);
  }
  expect([...kinds].sort()).toEqual(Object.keys(KINDS).sort());
});

test("a life of many moments makes writes of every kind", async () => {
  const deps = { pool, signal: new WakeSignal(64), counters: createCounters(), secret: null };
  const prefixes = async () =>
    (
      await pool.query(
        "select distinct split_part(idempotency_key, ':', 1) as prefix from persistence_applied_keys order by 1",
      )
    ).rows.map(({ prefix }) => prefix);
  await pool.query("delete from persistence_applied_keys");
  for (let moment = 0; moment < 60 && (await prefixes()).length < 6; moment += 1) {
    await everyday(deps, 10);
    // No worker runs here: what went the durable way would keep its character from being picked again.
    await pool.query("delete from persistence_retry_jobs");
  }
  expect(await prefixes()).toEqual(["app", "cr", "eq", "loc", "st", "tr"]);
});

test("transfers of yesterday are removed, but not one that a letter or a waiting job may still mean", async () => {
  await pool.query("delete from character_transfers");
  const [old, meant, fresh] = (await pickCharacters(pool, 3)) as [Picked, Picked, Picked];
  const transfers = [];
  for (const person of [old, meant, fresh]) {
    for (const state of ["active", "pending"] as const) {
      transfers.push(await newTransfer(pool, person, person.zoneId, state));
    }
  }
  await insertLetter(pool, transferJob(meant, transfers[3] ?? "", { zoneId: meant.zoneId }));
  await pool.query(
    "update character_transfers set requested_at = clock_timestamp() - interval '25 hours' where character_id <> $1",
    [fresh.characterId],
  );
  await pruneWorld(pool);
  const left = (await pool.query("select transfer_id from character_transfers")).rows.map((row) => row.transfer_id);
  expect(left.sort()).toEqual(transfers.slice(2).sort());
});
