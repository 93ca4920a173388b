import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { persistDirectly } from "@/lib/engine/persistence-retry/persist";
import { effectState } from "@/lib/engine/testing/effect-state";
import { equipmentJob, newCharacter, newItem, newZone, type Person } from "@/lib/engine/testing/maker";
import { ONE_OF_EACH_KIND } from "@/lib/engine/testing/one-of-each-kind";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { kindNamed } from ".";

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
});
afterAll(() => stores.close());

type Reference = {
  catalog: "zone" | "item";
  /** A job that refers to this row of the catalog. */
  make: (person: Person, id: string) => Promise<PersistenceRetryJob>;
  constraint: string;
};

const REFERENCES: [string, Reference][] = [
  ["character_location", zone("character_location", "characters_zone_id_fkey")],
  ["combat_rewards", zone("combat_rewards", "reward_ledger_zone_id_fkey")],
  ["transfer_activation", zone("transfer_activation", "characters_zone_id_fkey")],
  [
    "character_equipment",
    {
      catalog: "item",
      make: async (person, id) => equipmentJob(person, { head: id, feet: await newItem(pool) }),
      constraint: "character_equipment_item_id_fkey",
    },
  ],
];

function zone(kind: keyof typeof ONE_OF_EACH_KIND, constraint: string): Reference {
  return { catalog: "zone", constraint, make: (person, zoneId) => ONE_OF_EACH_KIND[kind](pool, person, { zoneId }) };
}

test.each(REFERENCES)(
  "%s: what left the catalog the facts say first, and then the foreign key; it wrote nothing",
  async (_kind, { catalog, make, constraint }) => {
    const person = await newCharacter(pool);
    const id = catalog === "zone" ? await newZone(pool) : await newItem(pool);
    const job = await make(person, id);
    const reference = async () =>
      (await kindNamed(job.payload.kind)?.effects(pool, job.payload))?.find(
        ({ field, payload }) => field === `${catalog}_catalog` && payload === id,
      );
    expect(await reference()).toEqual({ field: `${catalog}_catalog`, payload: id, now: id, after: id, change: "same" });
    await pool.query(`delete from ${catalog}_catalog where ${catalog}_id = $1`, [id]);
    expect(await reference()).toMatchObject({ now: null, after: null });
    const before = await effectState(pool, person.characterId);
    await expect(persistDirectly({ pool }, randomUUID(), job)).rejects.toMatchObject({ code: "23503", constraint });
    expect(await effectState(pool, person.characterId)).toEqual(before);
    // Put back, the same job is written.
    await pool.query(
      catalog === "zone"
        ? "insert into zone_catalog (zone_id, realm_id, name) values ($1, 'aurelia', $1)"
        : "insert into item_catalog (item_id, name) values ($1, $1)",
      [id],
    );
    expect(await persistDirectly({ pool }, randomUUID(), job)).toBe("applied");
  },
);

test("an item that somebody wears cannot leave the catalog", async () => {
  const person = await newCharacter(pool);
  const itemId = await newItem(pool);
  await persistDirectly({ pool }, randomUUID(), equipmentJob(person, { head: itemId }));
  const taken = pool.query("delete from item_catalog where item_id = $1", [itemId]);
  await expect(taken).rejects.toMatchObject({ code: "23503", constraint: "character_equipment_item_id_fkey" });
});

test("a transfer keeps no zone in the catalog: the zone is asked for when the character moves", async () => {
  const zoneId = await newZone(pool);
  await ONE_OF_EACH_KIND.transfer_activation(pool, await newCharacter(pool), { zoneId });
  expect((await pool.query("delete from zone_catalog where zone_id = $1", [zoneId])).rowCount).toBe(1);
});
