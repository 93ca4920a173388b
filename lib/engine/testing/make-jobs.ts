import { randomUUID } from "node:crypto";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { type PersistenceOrigin, sessionImpactOf } from "@/lib/engine/persistence-retry/persistence-session-policy";

// One maker a kind. None touches a store: what a job needs there, `ONE_OF_EACH_KIND` makes.

export type Person = { characterId: string; realmId: string; zoneId: string; version: string };

export type JobOver = { zoneId?: string; key?: string; version?: string; issuedAt?: string };

export function locationJob(person: Person, over: JobOver & { x?: string } = {}): PersistenceRetryJob {
  const position = { x: over.x ?? "10.25", y: "-3.5", z: "0" };
  return envelope(person, over, "background_location", {
    kind: "character_location",
    ...head(person, over),
    position,
  });
}

export function rewardsJob(person: Person, over: JobOver & { gold?: string } = {}): PersistenceRetryJob {
  return envelope(person, over, "combat_rewards", {
    kind: "combat_rewards",
    ...head(person, over),
    encounterId: "enc-77120",
    gold: over.gold ?? "240",
    itemIds: ["cinder_plate_shard"],
    quantities: ["2"],
  });
}

export function appearanceJob(
  person: Person,
  over: JobOver & { hairColor?: string; heightM?: string } = {},
): PersistenceRetryJob {
  return envelope(person, over, "client_appearance", {
    kind: "character_appearance",
    ...head(person, over),
    bodyType: "stout",
    skinTone: "umber",
    hairStyle: "braided",
    hairColor: over.hairColor ?? "ash",
    eyeColor: "grey",
    heightM: over.heightM ?? "1.82",
  });
}

/** `worn`: item ids by slot, the whole of what the character is to wear. */
export function equipmentJob(person: Person, worn: Record<string, string>, over: JobOver = {}): PersistenceRetryJob {
  return envelope(person, over, "client_equipment", {
    kind: "character_equipment",
    ...head(person, over),
    slots: Object.keys(worn),
    itemIds: Object.values(worn),
  });
}

export function stateJob(
  person: Person,
  over: JobOver & { level?: string; experience?: string; health?: string } = {},
): PersistenceRetryJob {
  return envelope(person, over, "gameplay_state", {
    kind: "gameplay_state",
    ...head(person, over),
    level: over.level ?? "12",
    experience: over.experience ?? "9007199254740993",
    health: over.health ?? "81.50",
    stamina: "40",
    storyChapter: "3",
  });
}

/** The zone is where the transfer leads. */
export function transferJob(
  person: Person,
  transferId: string,
  over: JobOver & { zoneId: string },
): PersistenceRetryJob {
  return envelope(person, over, "transfer_activation", {
    kind: "transfer_activation",
    ...head(person, over),
    transferId,
  });
}

const head = ({ characterId, realmId, zoneId }: Person, over: JobOver) => ({
  characterId,
  realmId,
  zoneId: over.zoneId ?? zoneId,
});

function envelope(
  person: Person,
  { key = `key:${randomUUID()}`, version = person.version, issuedAt = "2026-11-14T03:29:08.412Z" }: JobOver,
  source: PersistenceOrigin,
  payload: PersistenceRetryJob["payload"],
): PersistenceRetryJob {
  const idempotency = { key, characterVersion: version, issuedAt };
  const sessionImpact = sessionImpactOf(source);
  return { payload, sessionToken: "session-token-of-a-test", sessionImpact, source, idempotency };
}
