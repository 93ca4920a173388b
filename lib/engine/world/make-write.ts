import { randomBytes, randomInt } from "node:crypto";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { type PersistenceOrigin, sessionImpactOf } from "@/lib/engine/persistence-retry/persistence-session-policy";
import { ITEMS } from "./names";
import type { Picked } from "./pick-characters";

/** Somebody walks: where they are now, in the zone given. */
export function locationWrite(picked: Picked, zoneId: string): PersistenceRetryJob {
  const { characterId, realmId } = picked;
  const position = { x: coordinate(), y: coordinate(), z: decimal(randomInt(0, 12_000)) };
  return envelope(picked, "background_location", `loc:${characterId.slice(0, 8)}:${randomBytes(5).toString("hex")}`, {
    kind: "character_location",
    characterId,
    realmId,
    zoneId,
    position,
  });
}

/** Somebody wins a fight, in the zone given. */
export function rewardsWrite(picked: Picked, zoneId: string): PersistenceRetryJob {
  const { characterId, realmId } = picked;
  const encounterId = `enc-${randomInt(10_000, 99_999)}-${randomBytes(3).toString("hex")}`;
  const item = ITEMS[randomInt(ITEMS.length)] ?? "marsh_pearl";
  const found = randomInt(3);
  return envelope(picked, "combat_rewards", `cr:${characterId.slice(0, 8)}:${encounterId}:1`, {
    kind: "combat_rewards",
    characterId,
    realmId,
    zoneId,
    encounterId,
    gold: String(randomInt(5, 400)),
    itemIds: found === 0 ? [] : [item],
    quantities: found === 0 ? [] : [String(found)],
  });
}

function envelope(
  { version, now }: Picked,
  origin: PersistenceOrigin,
  key: string,
  payload: PersistenceRetryJob["payload"],
): PersistenceRetryJob {
  return {
    payload,
    sessionToken: randomBytes(24).toString("base64url"),
    sessionImpact: sessionImpactOf(origin),
    source: origin,
    idempotency: { key, characterVersion: version, issuedAt: now },
  };
}

const coordinate = () => decimal(randomInt(-200_000, 200_000));

/** Hundredths as a decimal number: 1205 is 12.05. */
function decimal(hundredths: number): string {
  const digits = String(Math.abs(hundredths)).padStart(3, "0");
  return `${hundredths < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
