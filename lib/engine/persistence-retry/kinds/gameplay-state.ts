import { z } from "zod";
import { execute, many } from "@/lib/db/pg";
import { encodeHead, jsonObject } from "@/lib/engine/persistence-retry/payload/json-out";
import { decimalText, storableText, wholeText } from "@/lib/engine/persistence-retry/payload/values";
import { bumpCharacter } from "./bump-character";
import { EffectRow } from "./effect-row";
import type { Kind } from "./kind";
import { overwrittenRow } from "./overwritten-row";

const payload = z
  .object({
    kind: z.literal("gameplay_state"),
    character_id: z.guid(),
    realm_id: storableText(200),
    zone_id: storableText(200).nullish(),
    state: z.object({
      level: wholeText,
      experience: wholeText,
      health: decimalText,
      stamina: decimalText,
      story_chapter: wholeText,
    }),
  })
  .transform(({ state, ...raw }) => ({
    kind: raw.kind,
    characterId: raw.character_id,
    realmId: raw.realm_id,
    zoneId: raw.zone_id ?? null,
    level: state.level,
    experience: state.experience,
    health: state.health,
    stamina: state.stamina,
    storyChapter: state.story_chapter,
  }));
export type GameplayState = z.output<typeof payload>;

const { apply: APPLY, effects: EFFECTS } = overwrittenRow("gameplay_state", [
  { column: "level", type: "bigint" },
  { column: "experience", type: "bigint" },
  { column: "health", type: "numeric" },
  { column: "stamina", type: "numeric" },
  { column: "story_chapter", type: "bigint" },
]);

const values = (state: GameplayState) => [
  state.characterId,
  state.realmId,
  state.level,
  state.experience,
  state.health,
  state.stamina,
  state.storyChapter,
];

/** How far a character has come. Absolute: a late one overwrites newer progress. */
export const gameplayState: Kind<GameplayState> = {
  name: "gameplay_state",
  semantics: "absolute",
  payload,
  encode({ level, experience, health, stamina, storyChapter, ...payload }) {
    const state = jsonObject({ level, experience, health, stamina, story_chapter: storyChapter });
    return jsonObject({ ...encodeHead(payload), state });
  },
  async apply(db, state) {
    await bumpCharacter(db, state);
    await execute(db, APPLY, values(state));
    return "applied";
  },
  effects: (db, state) => many(db, EFFECTS, EffectRow, values(state)),
};
