import { z } from "zod";
import { execute, many, type Sql } from "@/lib/db/pg";
import { encodeHead, jsonObject } from "@/lib/engine/persistence-retry/payload/json-out";
import { storableText } from "@/lib/engine/persistence-retry/payload/values";
import { bumpCharacter } from "./bump-character";
import { EffectRow, itemCatalogEffects } from "./effect-row";
import type { Kind } from "./kind";

const SLOTS_MAX = 40;

const payload = z
  .object({
    kind: z.literal("character_equipment"),
    character_id: z.guid(),
    realm_id: storableText(200),
    zone_id: storableText(200).nullish(),
    equipment: z
      .array(z.object({ slot: storableText(60), item_id: storableText(200) }))
      .max(SLOTS_MAX)
      .refine((worn) => new Set(worn.map(({ slot }) => slot)).size === worn.length, "a slot occurs twice"),
  })
  .transform((raw) => ({
    kind: raw.kind,
    characterId: raw.character_id,
    realmId: raw.realm_id,
    zoneId: raw.zone_id ?? null,
    slots: raw.equipment.map(({ slot }) => slot),
    itemIds: raw.equipment.map(({ item_id }) => item_id),
  }));
export type CharacterEquipment = z.output<typeof payload>;

// The whole of what is to be worn, as rows; both of the statements below that say what will be there use it.
const worn = (slots: string, items: string) => `unnest(${slots}::text[], ${items}::text[]) as worn(slot, item_id)`;

// $1 character · $2 slots
const EMPTY: Sql = {
  name: "apply_character_equipment_empty",
  text: "delete from character_equipment where character_id = $1 and slot <> all($2::text[])",
};

// $1 character · $2 slots · $3 item ids. Its foreign key is what refuses an item that left the catalog.
const FILL: Sql = {
  name: "apply_character_equipment_fill",
  text: `
    insert into character_equipment (character_id, slot, item_id, changed_at)
    select $1::uuid, slot, item_id, clock_timestamp() from ${worn("$2", "$3")}
    on conflict (character_id, slot) do update set item_id = excluded.item_id, changed_at = excluded.changed_at`,
};

// $1 character · $2 realm · $3 slots · $4 item ids
const EFFECTS: Sql = {
  name: "effects_character_equipment",
  text: `
    with target as (
      select c.character_id from (select 1) as one
        left join characters c on c.character_id = $1 and c.realm_id = $2
    ), held as (select e.slot, e.item_id from target t join character_equipment e using (character_id))
    (select 'equipment.' || slot as field, coalesce(worn.item_id, 'none') as payload, held.item_id as now,
            case when t.character_id is not null then worn.item_id end as after,
            case when held.item_id = worn.item_id then 'same' else 'sets' end as change
       from ${worn("$3", "$4")} full join held using (slot) cross join target t order by slot)
    union all ${itemCatalogEffects("$4::text[]")}`,
};

/**
 * What a character wears: the whole of it. Absolute: a slot that the payload does not name is emptied, so that what is
 * worn afterwards is what the payload says, whatever was worn before, however late or often it comes.
 */
export const characterEquipment: Kind<CharacterEquipment> = {
  name: "character_equipment",
  semantics: "absolute",
  payload,
  encode({ slots, itemIds, ...payload }) {
    const worn = slots.map((slot, index) =>
      jsonObject({ slot: JSON.stringify(slot), item_id: JSON.stringify(itemIds[index] ?? "") }),
    );
    return jsonObject({ ...encodeHead(payload), equipment: `[${worn.join(",")}]` });
  },
  async apply(db, equipment) {
    const { characterId, slots, itemIds } = equipment;
    await bumpCharacter(db, equipment);
    await execute(db, EMPTY, [characterId, slots]);
    if (slots.length > 0) await execute(db, FILL, [characterId, slots, itemIds]);
    return "applied";
  },
  effects(db, { characterId, realmId, slots, itemIds }) {
    return many(db, EFFECTS, EffectRow, [characterId, realmId, slots, itemIds]);
  },
};
