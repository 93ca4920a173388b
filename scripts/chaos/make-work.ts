import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { KindName } from "@/lib/engine/persistence-retry/kinds";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { encodePersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/encode";
import { md5, type Work } from "@/lib/engine/testing/conservation";
import {
  appearanceJob,
  equipmentJob,
  locationJob,
  newTransfer,
  rewardsJob,
  stateJob,
  transferJob,
} from "@/lib/engine/testing/maker";
import type { Random } from "./random";
import type { World } from "./world";

export const KIND_NAMES: KindName[] = [
  "character_location",
  "character_appearance",
  "character_equipment",
  "gameplay_state",
  "combat_rewards",
  "transfer_activation",
];

export type Made = { work: Work; job: PersistenceRetryJob };

/** One piece of work of any kind, for a character that others write to as well. `doomed`: it fails until what it needs is there. */
export async function makeWork(pool: pg.Pool, world: World, random: Random, doomed: boolean): Promise<Made> {
  const kind = random.pick(KIND_NAMES);
  const unborn = doomed && (kind === "character_appearance" || kind === "gameplay_state");
  const person = random.pick(unborn ? world.withheld.people : world.people);
  const zoneId = random.pick(doomed && !unborn ? world.withheld.zones : world.zones);
  const number = String(random.int(1, 1_000_000));
  const key = `chaos:${randomUUID()}`;
  const made = (job: PersistenceRetryJob, mark: string): Made => ({ job, work: workOf(job, mark) });
  switch (kind) {
    case "character_location":
      return made(locationJob(person, { key, zoneId, x: number }), number);
    case "character_appearance":
      return made(appearanceJob(person, { key, hairColor: `hair ${number}` }), `hair ${number}`);
    case "character_equipment": {
      const item = random.pick(doomed ? world.withheld.items : world.items);
      return made(equipmentJob(person, { main_hand: item }, { key }), item);
    }
    case "gameplay_state":
      return made(stateJob(person, { key, experience: number }), number);
    case "combat_rewards":
      return made(rewardsJob(person, { key, zoneId, gold: number }), number);
    case "transfer_activation": {
      const transferId = await newTransfer(pool, person, zoneId);
      return made(transferJob(person, transferId, { key, zoneId }), transferId);
    }
    default:
      return kind satisfies never;
  }
}

/** The job as a piece of work that nobody was told of yet. */
export function workOf(job: PersistenceRetryJob, mark: string): Work {
  return {
    retryJobId: randomUUID(),
    kind: job.payload.kind,
    characterId: job.payload.characterId,
    key: job.idempotency.key,
    mark,
    payloadMd5: md5(encodePersistenceRetryJob(job)),
    told: "unknown",
    direct: false,
    poison: false,
  };
}
