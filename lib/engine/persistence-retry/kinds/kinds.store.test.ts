import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { decodePersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { persistDirectly } from "@/lib/engine/persistence-retry/persist";
import { type EffectState, effectState } from "@/lib/engine/testing/effect-state";
import { newCharacter, newItem, newZone } from "@/lib/engine/testing/maker";
import { ONE_OF_EACH_KIND } from "@/lib/engine/testing/one-of-each-kind";
import { untilBlocked } from "@/scripts/testing/forced-race";
import { makeLetter } from "@/scripts/testing/game";
import { WORK_KINDS } from "@/scripts/testing/kind-bodies";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { KINDS, kindNamed } from ".";

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 6);
});
afterAll(() => stores.close());

const EACH = Object.entries(ONE_OF_EACH_KIND);
const write = (job: PersistenceRetryJob) => persistDirectly({ pool }, randomUUID(), job);
const effects = async (job: PersistenceRetryJob) =>
  (await kindNamed(job.payload.kind)?.effects(pool, job.payload)) ?? [];

/** The state by the names that effects use; what counts writes (version, ledger) has no name there. */
function fieldsOf(state: EffectState): Record<string, string | null> {
  const fields: Record<string, string | null> = {};
  for (const { position_x = null, position_y = null, position_z = null, zone_id = null } of state.characters) {
    Object.assign(fields, { zone_id, "position.x": position_x, "position.y": position_y, "position.z": position_z });
  }
  for (const { gold = null } of state.reward_balances) fields.gold = gold;
  for (const row of state.reward_items) fields[`items.${row.item_id}`] = row.quantity ?? null;
  for (const row of [...state.character_appearance, ...state.gameplay_state]) Object.assign(fields, row);
  for (const row of state.character_equipment) fields[`equipment.${row.slot}`] = row.item_id ?? null;
  const transfers = state.character_transfers.map((row) => row.state ?? null);
  if (transfers.length > 0)
    fields["transfer.state"] = transfers.find((each) => each === "pending") ?? transfers[0] ?? null;
  delete fields.character_id;
  return fields;
}

test("there is a maker for every kind, and each kind is known by its own name", () => {
  expect(Object.keys(ONE_OF_EACH_KIND).sort()).toEqual(Object.keys(KINDS).sort());
  for (const [name, kind] of Object.entries(KINDS)) expect(kind.name).toBe(name);
  const semantics = Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, kind.semantics]));
  expect(semantics).toEqual({
    character_location: "absolute",
    character_appearance: "absolute",
    character_equipment: "absolute",
    gameplay_state: "absolute",
    combat_rewards: "additive",
    transfer_activation: "guarded",
  });
});

test.each(EACH)(
  "%s: what effects promise is what applying writes, and nothing else is written",
  async (_kind, make) => {
    const person = await newCharacter(pool);
    // From nothing, and then over what the first one left.
    for (const round of ["first", "second"]) {
      const job = await make(pool, person, round === "second" ? { zoneId: await newZone(pool) } : {});
      const before = await effectState(pool, person.characterId);
      const promised = await effects(job);
      expect(await effectState(pool, person.characterId)).toEqual(before);
      expect(await write(job)).toBe("applied");
      const after = await effectState(pool, person.characterId);
      const [was, is] = [fieldsOf(before), fieldsOf(after)];
      const own = promised.filter(({ field }) => !field.endsWith("_catalog"));
      expect(own.length).toBeGreaterThan(0);
      for (const { field, now, after: said } of own) {
        expect([field, now]).toEqual([field, was[field] ?? (field.startsWith("items.") ? "0" : null)]);
        expect([field, said]).toEqual([field, is[field] ?? null]);
      }
      const changed = Object.keys({ ...was, ...is }).filter((field) => was[field] !== is[field]);
      const named = own.filter(({ change }) => change !== "same").map(({ field }) => field);
      expect(named).toEqual(expect.arrayContaining(changed));
      const version = (state: EffectState) => BigInt(state.characters[0]?.version ?? "0");
      expect(version(after)).toBe(version(before) + 1n);
    }
  },
);

test.each(EACH)("%s delivered twice, under one key: the second writes nothing", async (_kind, make) => {
  const person = await newCharacter(pool);
  const job = await make(pool, person);
  expect(await write(job)).toBe("applied");
  const once = await effectState(pool, person.characterId);
  expect(await write(job)).toBe("superseded");
  expect(await effectState(pool, person.characterId)).toEqual(once);
});

test.each(EACH)(
  "%s for a character that is not there, or in another realm, is refused and leaves no key",
  async (kind, make) => {
    const person = await newCharacter(pool);
    const job = await make(pool, person);
    const before = await effectState(pool, person.characterId);
    for (const over of [{ characterId: randomUUID() }, { realmId: "thornmark" }]) {
      const strange = { ...job, payload: { ...job.payload, ...over } };
      const missing =
        kind === "combat_rewards" ? /character_id_realm_id_fkey/ : /^NOT FOUND: character .* is not in realm/;
      await expect(write(strange)).rejects.toThrow(missing);
      for (const { field, now, after } of await effects(strange)) {
        if (!field.endsWith("_catalog")) expect([field, now, after]).toEqual([field, null, null]);
      }
    }
    expect(await effectState(pool, person.characterId)).toEqual(before);
    const { rows } = await pool.query("select 1 from persistence_applied_keys where idempotency_key = $1", [
      job.idempotency.key,
    ]);
    expect(rows).toEqual([]);
  },
);

test.each(EACH)("%s waits for the character's row before it takes any other of its rows", async (_kind, make) => {
  const person = await newCharacter(pool);
  await write(await make(pool, person));
  // Something in a slot that the next outfit leaves empty.
  await pool.query("insert into character_equipment values ($1, 'feet', $2, clock_timestamp())", [
    person.characterId,
    await newItem(pool),
  ]);
  const job = await make(pool, person);
  const holder = await pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select 1 from characters where character_id = $1 for update", [person.characterId]);
    const writing = write(job);
    await untilBlocked(holder, 1);
    // Whoever holds the character can have all the rest: a write that had taken some of it would be in the way.
    for (const table of [
      "reward_balances",
      "reward_items",
      "character_appearance",
      "character_equipment",
      "gameplay_state",
      "character_transfers",
    ]) {
      await holder.query(`select 1 from ${table} where character_id = $1 for update nowait`, [person.characterId]);
    }
    await holder.query("rollback");
    expect(await writing).toBe("applied");
  } finally {
    holder.release();
  }
});

test.each(WORK_KINDS)(
  "%s as a game server writes it: a letter that the tests of the desk make is safe to requeue",
  async (kind) => {
    const { payload, characterId } = await makeLetter(pool, { kind });
    const decoded = decodePersistenceRetryJob(payload);
    if (!decoded.ok) throw new Error(decoded.error);
    const catalogs = (await effects(decoded.job)).filter(({ field }) => field.endsWith("_catalog"));
    expect(catalogs.filter(({ now }) => now === null)).toEqual([]);
    expect(await write(decoded.job)).toBe("applied");
    expect((await effectState(pool, characterId)).characters).toMatchObject([{ version: "8" }]);
  },
);
