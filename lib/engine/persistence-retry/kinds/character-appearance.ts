import { z } from "zod";
import { execute, many } from "@/lib/db/pg";
import { encodeHead, jsonObject } from "@/lib/engine/persistence-retry/payload/json-out";
import { decimalText, storableText } from "@/lib/engine/persistence-retry/payload/values";
import { bumpCharacter } from "./bump-character";
import { EffectRow } from "./effect-row";
import type { Kind } from "./kind";
import { overwrittenRow } from "./overwritten-row";

const look = storableText(100);

const payload = z
  .object({
    kind: z.literal("character_appearance"),
    character_id: z.guid(),
    realm_id: storableText(200),
    zone_id: storableText(200).nullish(),
    appearance: z.object({
      body_type: look,
      skin_tone: look,
      hair_style: look,
      hair_color: look,
      eye_color: look,
      height_m: decimalText,
    }),
  })
  .transform(({ appearance, ...raw }) => ({
    kind: raw.kind,
    characterId: raw.character_id,
    realmId: raw.realm_id,
    zoneId: raw.zone_id ?? null,
    bodyType: appearance.body_type,
    skinTone: appearance.skin_tone,
    hairStyle: appearance.hair_style,
    hairColor: appearance.hair_color,
    eyeColor: appearance.eye_color,
    heightM: appearance.height_m,
  }));
export type CharacterAppearance = z.output<typeof payload>;

const { apply: APPLY, effects: EFFECTS } = overwrittenRow("character_appearance", [
  { column: "body_type", type: "text" },
  { column: "skin_tone", type: "text" },
  { column: "hair_style", type: "text" },
  { column: "hair_color", type: "text" },
  { column: "eye_color", type: "text" },
  { column: "height_m", type: "numeric" },
]);

const values = (looks: CharacterAppearance) => [
  looks.characterId,
  looks.realmId,
  looks.bodyType,
  looks.skinTone,
  looks.hairStyle,
  looks.hairColor,
  looks.eyeColor,
  looks.heightM,
];

/** How a character looks. Absolute: a late one overwrites newer looks. */
export const characterAppearance: Kind<CharacterAppearance> = {
  name: "character_appearance",
  semantics: "absolute",
  payload,
  encode({ bodyType, skinTone, hairStyle, hairColor, eyeColor, heightM, ...payload }) {
    const appearance = jsonObject({
      body_type: JSON.stringify(bodyType),
      skin_tone: JSON.stringify(skinTone),
      hair_style: JSON.stringify(hairStyle),
      hair_color: JSON.stringify(hairColor),
      eye_color: JSON.stringify(eyeColor),
      height_m: heightM,
    });
    return jsonObject({ ...encodeHead(payload), appearance });
  },
  async apply(db, looks) {
    await bumpCharacter(db, looks);
    await execute(db, APPLY, values(looks));
    return "applied";
  },
  effects: (db, looks) => many(db, EFFECTS, EffectRow, values(looks)),
};
