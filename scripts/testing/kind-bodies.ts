import { randomUUID } from "node:crypto";
import type { Pool } from "pg";

/** What of a job's payload its kind alone has. */
export type BodyOptions = {
  gold?: string;
  x?: string;
  /** What is worn on the head. */
  itemId?: string;
  experience?: string;
  transferId?: string;
};

const BODIES = {
  character_location: ({ x = "10" }: BodyOptions) => `"position":{"x":${x},"y":20,"z":30}`,
  character_appearance: () =>
    '"appearance":{"body_type":"stout","skin_tone":"umber","hair_style":"braided","hair_color":"ash","eye_color":"grey","height_m":1.82}',
  character_equipment: ({ itemId = "iron_helm" }: BodyOptions) => `"equipment":[{"slot":"head","item_id":"${itemId}"}]`,
  gameplay_state: ({ experience = "48200" }: BodyOptions) =>
    `"state":{"level":12,"experience":${experience},"health":81.50,"stamina":40,"story_chapter":3}`,
  combat_rewards: ({ gold = "240" }: BodyOptions) => `"encounter_id":"enc-1","rewards":{"gold":${gold},"items":[]}`,
  transfer_activation: ({ transferId = randomUUID() }: BodyOptions) => `"transfer_id":"${transferId}"`,
};

export type WorkKind = keyof typeof BODIES;
export const WORK_KINDS = Object.keys(BODIES) as WorkKind[];

/** The fields of the payload that only this kind has, as the game serializes them. */
export const bodyOf = (kind: WorkKind, options: BodyOptions): string => BODIES[kind](options);

type Needs = BodyOptions & { kind?: WorkKind; characterId: string; zoneId?: string };

/** Makes what the work refers to beside zone and character, so that it would succeed; answers the options that name it. */
export async function withNeeds<T extends Needs>(pool: Pool, options: T): Promise<T> {
  if (options.kind === "character_equipment") {
    const { itemId = "iron_helm" } = options;
    await pool.query("insert into item_catalog (item_id, name) values ($1, $1) on conflict do nothing", [itemId]);
    return { ...options, itemId };
  }
  if (options.kind === "transfer_activation" && options.transferId === undefined) {
    const transferId = randomUUID();
    await pool.query(
      `insert into character_transfers (transfer_id, character_id, from_zone_id, to_zone_id)
       select $1, character_id, zone_id, $3 from characters where character_id = $2`,
      [transferId, options.characterId, options.zoneId ?? "harbour"],
    );
    return { ...options, transferId };
  }
  return options;
}
