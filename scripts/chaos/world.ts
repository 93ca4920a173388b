import { randomUUID } from "node:crypto";
import type pg from "pg";
import { newCharacter, newItem, newZone, type Person } from "@/lib/engine/testing/maker";

/** Game state that works are made for, and what is withheld from it, so that works fail until it is there. */
export type World = {
  people: Person[];
  zones: string[];
  items: string[];
  withheld: { zones: string[]; items: string[]; people: Person[] };
};

const PEOPLE = 40;
const WITHHELD = 6;

export async function makeWorld(pool: pg.Pool): Promise<World> {
  const zones = await Promise.all(Array.from({ length: 4 }, () => newZone(pool)));
  const items = await Promise.all(Array.from({ length: 12 }, () => newItem(pool)));
  const people: Person[] = [];
  for (let n = 0; n < PEOPLE; n += 1) people.push(await newCharacter(pool, { zoneId: zones[n % zones.length] ?? "" }));
  const world: World = { people, zones, items, withheld: { zones: [], items: [], people: [] } };
  withhold(world);
  return world;
}

/** Names things that are not there, for works to fail on. */
export function withhold({ withheld, zones }: World): void {
  while (withheld.zones.length < WITHHELD) withheld.zones.push(`closed_${randomUUID().slice(0, 8)}`);
  while (withheld.items.length < WITHHELD) withheld.items.push(`lost_${randomUUID().slice(0, 8)}`);
  while (withheld.people.length < WITHHELD)
    withheld.people.push({ characterId: randomUUID(), realmId: "aurelia", zoneId: zones[0] ?? "", version: "7" });
}

/** The cause is fixed: what was withheld is there from now on. */
export async function mendAll(pool: pg.Pool, { withheld }: World): Promise<void> {
  for (const zone of [...withheld.zones]) await mendZone(pool, zone);
  for (const item of [...withheld.items]) await newItem(pool, item);
  for (const person of [...withheld.people]) await bear(pool, person);
  withheld.zones.length = withheld.items.length = withheld.people.length = 0;
}

const mendZone = (pool: pg.Pool, zone: string) =>
  pool.query("insert into zone_catalog (zone_id, realm_id, name) values ($1, 'aurelia', $1) on conflict do nothing", [
    zone,
  ]);

/** As `newCharacter`, with the id that works already name. */
async function bear(pool: pg.Pool, { characterId, realmId, zoneId }: Person): Promise<void> {
  await pool.query(
    `with born as (
       insert into characters (character_id, realm_id, name, version, zone_id, position_x, position_y, position_z)
       values ($1, $2, 'Brannoch', 7, $3, 1.5, -2.25, 0) on conflict do nothing returning character_id
     )
     insert into reward_balances (character_id, gold, changed_at) select character_id, 100, clock_timestamp() from born`,
    [characterId, realmId, zoneId],
  );
}
