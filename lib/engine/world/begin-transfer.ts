import { randomUUID } from "node:crypto";
import { execute, type Queryable, type Sql } from "@/lib/db/pg";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { envelope, writeKey } from "./envelope";
import type { Picked } from "./pick-characters";

// $1 transfer · $2 character · $3 from · $4 to
const REQUEST: Sql = {
  name: "world_request_transfer",
  text: `insert into character_transfers (transfer_id, character_id, from_zone_id, to_zone_id) values ($1, $2, $3, $4)`,
};

/** Agrees on a transfer to the zone; the job that is answered activates it. */
export async function beginTransfer(db: Queryable, picked: Picked, toZoneId: string): Promise<PersistenceRetryJob> {
  const { characterId, realmId, zoneId } = picked;
  const transferId = randomUUID();
  await execute(db, REQUEST, [transferId, characterId, zoneId, toZoneId]);
  return envelope(picked, "transfer_activation", writeKey("tr", picked), {
    kind: "transfer_activation",
    characterId,
    realmId,
    zoneId: toZoneId,
    transferId,
  });
}
