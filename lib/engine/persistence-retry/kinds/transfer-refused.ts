type Meant = { transferId: string; characterId: string; zoneId: string };

/** A transfer that cannot be activated. The database has no error of its own for an update that matches no row. */
export class TransferRefused extends Error {
  /** @param state what it is instead of pending; null: there is none for this character and zone */
  constructor({ transferId, characterId, zoneId }: Meant, state: string | null) {
    super(
      state === null
        ? `NOT FOUND: no transfer ${transferId} of character ${characterId} to zone "${zoneId}"`
        : `NOT PENDING: transfer ${transferId} of character ${characterId} is ${state}`,
    );
  }
}
