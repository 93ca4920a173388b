import type pg from "pg";
import { z } from "zod";
import { execute, one, type Queryable, type Sql } from "@/lib/db/pg";
import { boundedTransaction } from "@/lib/engine/pg/bounded-transaction";
import { noteViewer } from "./demo-state";
import { fillCharacters } from "./fill-characters";
import { ensureFrontier } from "./frontier";
import { CHARACTERS, characterName } from "./names";
import { OPEN_ZONES } from "./zones";

const COUNT: Sql = { name: "world_count", text: "select count(*)::int as characters from characters" };

// $1 zones · $2 realms · $3 names
const ZONES: Sql = {
  name: "world_seed_zones",
  text: `insert into zone_catalog (zone_id, realm_id, name)
         select * from unnest($1::text[], $2::text[], $3::text[]) on conflict (zone_id) do nothing`,
};

// $1 names · $2 realms · $3 zones
const PEOPLE: Sql = {
  name: "world_seed_characters",
  text: `
    with born as (
      insert into characters (character_id, realm_id, name, zone_id, position_x, position_y, position_z)
      select gen_random_uuid(), realm_id, name, zone_id,
             round((random() * 4000 - 2000)::numeric, 2), round((random() * 4000 - 2000)::numeric, 2), 0
        from unnest($1::text[], $2::text[], $3::text[]) as person(name, realm_id, zone_id)
      returning character_id
    )
    insert into reward_balances (character_id, gold, changed_at)
    select character_id, (100 + random() * 5000)::bigint, clock_timestamp() from born`,
};

/** Fills an empty world, once, and what a world of an older version lacks. Several engines may come at once: the zones' lock lets them in one after the other. */
export async function seedWorld(pool: pg.Pool): Promise<void> {
  await boundedTransaction(pool, { timeoutMs: 8_000 }, async (client) => {
    await ensureFrontier(client);
    await execute(client, ZONES, [
      OPEN_ZONES.map((zone) => zone.zoneId),
      OPEN_ZONES.map((zone) => zone.realmId),
      OPEN_ZONES.map((zone) => zone.name),
    ]);
    const { characters } = await one(client, COUNT, z.object({ characters: z.number() }));
    if (characters === 0) await populate(client);
    await fillCharacters(client);
  });
  await noteViewer(pool);
}

function populate(client: Queryable): Promise<number> {
  const people = Array.from({ length: CHARACTERS }, (_, n) => ({
    name: characterName(n),
    // OPEN_ZONES is never empty.
    home: OPEN_ZONES[n % OPEN_ZONES.length] as (typeof OPEN_ZONES)[number],
  }));
  return execute(client, PEOPLE, [
    people.map((person) => person.name),
    people.map((person) => person.home.realmId),
    people.map((person) => person.home.zoneId),
  ]);
}
