import { randomBytes, randomInt } from "node:crypto";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { decimal } from "./decimal";
import { envelope, writeKey } from "./envelope";
import { ITEMS } from "./names";
import { someLooks, someOutfit } from "./outfits";
import type { Picked } from "./pick-characters";

/** Where somebody is now, in the zone given: they walk, or their session ends or moves to another device. */
export function locationWrite(
  picked: Picked,
  zoneId: string,
  origin: "background_location" | "session_cleanup" | "session_takeover" = "background_location",
): PersistenceRetryJob {
  const position = { x: coordinate(), y: coordinate(), z: decimal(randomInt(0, 12_000)) };
  return envelope(picked, origin, writeKey("loc", picked), {
    kind: "character_location",
    ...head(picked),
    zoneId,
    position,
  });
}

/** Somebody wins a fight, in the zone given. */
export function rewardsWrite(picked: Picked, zoneId: string): PersistenceRetryJob {
  const encounterId = `enc-${randomInt(10_000, 99_999)}-${randomBytes(3).toString("hex")}`;
  const item = ITEMS[randomInt(ITEMS.length)] ?? "marsh_pearl";
  const found = randomInt(3);
  return envelope(picked, "combat_rewards", `cr:${picked.characterId.slice(0, 8)}:${encounterId}:1`, {
    kind: "combat_rewards",
    ...head(picked),
    zoneId,
    encounterId,
    gold: String(randomInt(5, 400)),
    itemIds: found === 0 ? [] : [item],
    quantities: found === 0 ? [] : [String(found)],
  });
}

/** Somebody sits down at the barber's. */
export function appearanceWrite(picked: Picked): PersistenceRetryJob {
  return envelope(picked, "client_appearance", writeKey("app", picked), {
    kind: "character_appearance",
    ...head(picked),
    ...someLooks(),
    heightM: decimal(randomInt(150, 205)),
  });
}

/** Somebody dresses, from the skin. */
export function equipmentWrite(picked: Picked): PersistenceRetryJob {
  return envelope(picked, "client_equipment", writeKey("eq", picked), {
    kind: "character_equipment",
    ...head(picked),
    ...someOutfit(),
  });
}

/** Somebody has come a little further: experience only grows, as the version does. */
export function stateWrite(picked: Picked): PersistenceRetryJob {
  const writes = BigInt(picked.version);
  return envelope(picked, "gameplay_state", writeKey("st", picked), {
    kind: "gameplay_state",
    ...head(picked),
    level: String(1n + writes / 60n),
    experience: String(writes * 12n + BigInt(randomInt(12))),
    health: decimal(randomInt(1_000, 10_001)),
    stamina: decimal(randomInt(0, 10_001)),
    storyChapter: String(1n + writes / 400n),
  });
}

const head = ({ characterId, realmId, zoneId }: Picked) => ({ characterId, realmId, zoneId });

const coordinate = () => decimal(randomInt(-200_000, 200_000));
