import { z } from "zod";
import { execute, many, type Sql } from "@/lib/db/pg";
import { encodeHead, jsonObject } from "@/lib/engine/persistence-retry/payload/json-out";
import { decimalText, storableText } from "@/lib/engine/persistence-retry/payload/values";
import { CharacterMissing } from "./character-missing";
import { catalogEffect, EffectRow } from "./effect-row";
import type { Kind } from "./kind";

const payload = z
  .object({
    kind: z.literal("character_location"),
    character_id: z.guid(),
    realm_id: storableText(200),
    zone_id: storableText(200),
    position: z.object({ x: decimalText, y: decimalText, z: decimalText }),
  })
  .transform((raw) => ({
    kind: raw.kind,
    characterId: raw.character_id,
    realmId: raw.realm_id,
    zoneId: raw.zone_id,
    position: raw.position,
  }));
export type CharacterLocation = z.output<typeof payload>;

/** Each column that is overwritten, with the expression that both statements below use. */
const FIELDS = [
  { field: "zone_id", column: "zone_id", after: "$3::text" },
  { field: "position.x", column: "position_x", after: "$4::numeric" },
  { field: "position.y", column: "position_y", after: "$5::numeric" },
  { field: "position.z", column: "position_z", after: "$6::numeric" },
];

// $1 character · $2 realm · $3 zone · $4 x · $5 y · $6 z
const APPLY: Sql = {
  name: "apply_character_location",
  text: `
    update characters
       set ${FIELDS.map(({ column, after }) => `${column} = ${after}`).join(", ")},
           version = version + 1, changed_at = clock_timestamp()
     where character_id = $1 and realm_id = $2`,
};

// The same parameters, and $7 to $9: x, y and z as the payload wrote them.
const EFFECTS: Sql = {
  name: "effects_character_location",
  text: `
    select f.field, f.payload, f.now, f.after, f.change
      from (select 1) as one
      left join characters c on c.character_id = $1 and c.realm_id = $2
      cross join lateral (values
        ${FIELDS.map(
          ({ field, column, after }, index) => `(
            '${field}', ${index === 0 ? "$3::text" : `$${index + 6}::text`}, c.${column}::text,
            case when c.character_id is not null then (${after})::text end,
            case when c.${column} = ${after} then 'same' else 'sets' end)`,
        ).join(",")}
      ) as f(field, payload, now, after, change)
    union all ${catalogEffect("$3::text")}`,
};

const values = ({ characterId, realmId, zoneId, position: { x, y, z } }: CharacterLocation) => [
  characterId,
  realmId,
  zoneId,
  x,
  y,
  z,
];

/** Where a character stands. Absolute: a late one overwrites a newer position. */
export const characterLocation: Kind<CharacterLocation> = {
  name: "character_location",
  semantics: "absolute",
  payload,
  encode: ({ position, ...payload }) => jsonObject({ ...encodeHead(payload), position: jsonObject(position) }),
  async apply(db, location) {
    if ((await execute(db, APPLY, values(location))) === 0) throw new CharacterMissing(location);
    return "applied";
  },
  effects(db, location) {
    const { x, y, z } = location.position;
    return many(db, EFFECTS, EffectRow, [...values(location), x, y, z]);
  },
};
