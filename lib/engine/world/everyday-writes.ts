import { randomInt } from "node:crypto";
import type { Queryable } from "@/lib/db/pg";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import type { PersistenceOrigin } from "@/lib/engine/persistence-retry/persistence-session-policy";
import { beginTransfer } from "./begin-transfer";
import { appearanceWrite, equipmentWrite, locationWrite, rewardsWrite, stateWrite } from "./make-write";
import type { Picked } from "./pick-characters";
import { OPEN_ZONES } from "./zones";

type Make = (picked: Picked, db: Queryable) => PersistenceRetryJob | Promise<PersistenceRetryJob>;

/** What happens in a world, from every origin, and how often of a hundred times. */
export const EVERYDAY: Record<PersistenceOrigin, { of100: number; make: Make }> = {
  background_location: { of100: 50, make: (picked) => locationWrite(picked, walkTo(picked)) },
  combat_rewards: { of100: 22, make: (picked) => rewardsWrite(picked, picked.zoneId) },
  gameplay_state: { of100: 12, make: stateWrite },
  client_equipment: { of100: 5, make: equipmentWrite },
  transfer_activation: { of100: 4, make: (picked, db) => beginTransfer(db, picked, anotherZone(picked)) },
  client_appearance: { of100: 3, make: appearanceWrite },
  session_cleanup: { of100: 2, make: (picked) => locationWrite(picked, walkTo(picked), "session_cleanup") },
  session_takeover: { of100: 2, make: (picked) => locationWrite(picked, walkTo(picked), "session_takeover") },
};

/** Something that happens to the character. A transfer is agreed on at once; the rest touches no store. */
export async function everydayWrite(picked: Picked, db: Queryable): Promise<PersistenceRetryJob> {
  let left = randomInt(100);
  for (const { of100, make } of Object.values(EVERYDAY)) {
    left -= of100;
    if (left < 0) return make(picked, db);
  }
  return EVERYDAY.background_location.make(picked, db);
}

// Only ever to open zones: what nobody has been to must stay free to break.
const openTo = ({ realmId }: Picked) => OPEN_ZONES.filter((zone) => zone.realmId === realmId);

/** Mostly they stay. */
function walkTo(picked: Picked): string {
  const stays = openTo(picked).some((zone) => zone.zoneId === picked.zoneId) && randomInt(20) > 0;
  return stays ? picked.zoneId : anotherZone(picked);
}

function anotherZone(picked: Picked): string {
  const others = openTo(picked).filter((zone) => zone.zoneId !== picked.zoneId);
  return others[randomInt(Math.max(others.length, 1))]?.zoneId ?? picked.zoneId;
}
