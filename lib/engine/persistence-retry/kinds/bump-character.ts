import { execute, type Queryable, type Sql } from "@/lib/db/pg";
import { CharacterMissing } from "./character-missing";

// $1 character · $2 realm
export const BUMP: Sql = {
  name: "bump_character",
  text: `update characters set version = version + 1, changed_at = clock_timestamp()
          where character_id = $1 and realm_id = $2`,
};

/**
 * Takes the character's row and counts the write. It is the first statement of a write: two writes to one character
 * queue up here, and never deadlock. Throws CharacterMissing.
 */
export async function bumpCharacter(db: Queryable, payload: { characterId: string; realmId: string }): Promise<void> {
  if ((await execute(db, BUMP, [payload.characterId, payload.realmId])) === 0) throw new CharacterMissing(payload);
}
