import { type CharacterAppearance, characterAppearance } from "./character-appearance";
import { type CharacterEquipment, characterEquipment } from "./character-equipment";
import { type CharacterLocation, characterLocation } from "./character-location";
import { type CombatRewards, combatRewards } from "./combat-rewards";
import { type GameplayState, gameplayState } from "./gameplay-state";
import type { Kind, WriteIdentity } from "./kind";
import { type TransferActivation, transferActivation } from "./transfer-activation";

/** Tagged by `kind`, as on the wire. */
export type PersistenceRetryPayload =
  | CharacterLocation
  | CharacterAppearance
  | CharacterEquipment
  | GameplayState
  | CombatRewards
  | TransferActivation;

/** Every kind that this engine can apply. A further kind is a file beside this one and a line here. */
export const KINDS = {
  character_location: characterLocation,
  character_appearance: characterAppearance,
  character_equipment: characterEquipment,
  gameplay_state: gameplayState,
  combat_rewards: combatRewards,
  transfer_activation: transferActivation,
} as const;

export type KindName = keyof typeof KINDS;

/** The kind with this name, or null. */
export function kindNamed(name: string): Kind | null {
  return Object.hasOwn(KINDS, name) ? (KINDS[name as KindName] as Kind) : null;
}

export type { Kind, WriteIdentity };
