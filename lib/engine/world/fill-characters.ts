import { execute, type Queryable, type Sql } from "@/lib/db/pg";
import { ITEMS } from "./names";
import { LOOKS, WARDROBE } from "./outfits";

// $1 ids · $2 names
const CATALOG: Sql = {
  name: "world_seed_items",
  text: `insert into item_catalog (item_id, name)
         select * from unnest($1::text[], $2::text[]) on conflict (item_id) do nothing`,
};

// $1 to $5: lists of body types, skin tones, hair styles, hair colours, eye colours; one of each list a character.
const pick = (list: number) => `($${list}::text[])[1 + floor(random() * cardinality($${list}::text[]))::int]`;
const APPEARANCE: Sql = {
  name: "world_fill_appearance",
  text: `
    insert into character_appearance
      (character_id, body_type, skin_tone, hair_style, hair_color, eye_color, height_m, changed_at)
    select c.character_id, ${[1, 2, 3, 4, 5].map(pick).join(", ")}, round((1.5 + random() * 0.55)::numeric, 2), clock_timestamp()
      from characters c
     where not exists (select 1 from character_appearance a where a.character_id = c.character_id)
    on conflict do nothing`,
};

// $1 slots · $2 item ids. Who wears nothing at all gets something in each slot.
const EQUIPMENT: Sql = {
  name: "world_fill_equipment",
  text: `
    insert into character_equipment (character_id, slot, item_id, changed_at)
    select distinct on (c.character_id, w.slot) c.character_id, w.slot, w.item_id, clock_timestamp()
      from characters c cross join unnest($1::text[], $2::text[]) as w(slot, item_id)
     where not exists (select 1 from character_equipment e where e.character_id = c.character_id)
     order by c.character_id, w.slot, random()
    on conflict do nothing`,
};

const STATE: Sql = {
  name: "world_fill_state",
  text: `
    insert into gameplay_state (character_id, level, experience, health, stamina, story_chapter, changed_at)
    select c.character_id, 1 + c.version / 60, c.version * 12, 100, 100, 1 + c.version / 400, clock_timestamp()
      from characters c where not exists (select 1 from gameplay_state s where s.character_id = c.character_id)
    on conflict do nothing`,
};

/** Fills the catalog of items, and gives whoever lacks it looks, clothes and a state: the new, and a world of an older version. */
export async function fillCharacters(db: Queryable): Promise<void> {
  const items = [...WARDROBE.map(({ itemId }) => itemId), ...ITEMS];
  await execute(db, CATALOG, [items, items.map(itemName)]);
  await execute(db, APPEARANCE, [LOOKS.bodyType, LOOKS.skinTone, LOOKS.hairStyle, LOOKS.hairColor, LOOKS.eyeColor]);
  await execute(db, EQUIPMENT, [WARDROBE.map(({ slot }) => slot), WARDROBE.map(({ itemId }) => itemId)]);
  await execute(db, STATE);
}

/** `iron_helm` is an Iron helm. */
const itemName = (itemId: string) => (itemId.charAt(0).toUpperCase() + itemId.slice(1)).replaceAll("_", " ");
