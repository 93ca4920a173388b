/** There is nothing to write to. The database has no error of its own for an update that matches no row. */
export class CharacterMissing extends Error {
  constructor({ characterId, realmId }: { characterId: string; realmId: string }) {
    super(`NOT FOUND: character ${characterId} is not in realm "${realmId}"`);
  }
}
