import { type CharacterLocation, characterLocation } from "./character-location";
import { type CombatRewards, combatRewards } from "./combat-rewards";
import type { Kind, WriteIdentity } from "./kind";

/** Tagged by `kind`, as on the wire. */
export type PersistenceRetryPayload = CharacterLocation | CombatRewards;

/** Every kind that this engine can apply. A further kind is a file beside this one and a line here. */
export const KINDS = { character_location: characterLocation, combat_rewards: combatRewards } as const;

export type KindName = keyof typeof KINDS;

/** The kind with this name, or null. */
export function kindNamed(name: string): Kind | null {
  return Object.hasOwn(KINDS, name) ? (KINDS[name as KindName] as Kind) : null;
}

export type { CharacterLocation, CombatRewards, Kind, WriteIdentity };
