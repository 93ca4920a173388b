import type pg from "pg";
import type { KindName } from "@/lib/engine/persistence-retry/kinds";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import {
  appearanceJob,
  equipmentJob,
  type JobOver,
  locationJob,
  newItem,
  newTransfer,
  newZone,
  type Person,
  rewardsJob,
  stateJob,
  transferJob,
} from "./maker";

/** Makes what a job of the kind needs in the store (items, a pending transfer), and the job, which then succeeds. */
export type MakeJob = (pool: pg.Pool, person: Person, over?: JobOver) => Promise<PersistenceRetryJob>;

/** For tests that hold for every kind: `test.each(Object.entries(ONE_OF_EACH_KIND))`. Each job changes something. */
export const ONE_OF_EACH_KIND: Record<KindName, MakeJob> = {
  character_location: async (_pool, person, over) => locationJob(person, over),
  character_appearance: async (_pool, person, over) => appearanceJob(person, over),
  async character_equipment(pool, person, over) {
    return equipmentJob(person, { head: await newItem(pool), main_hand: await newItem(pool) }, over);
  },
  gameplay_state: async (_pool, person, over) => stateJob(person, over),
  combat_rewards: async (_pool, person, over) => rewardsJob(person, over),
  async transfer_activation(pool, person, over) {
    const zoneId = over?.zoneId ?? (await newZone(pool));
    return transferJob(person, await newTransfer(pool, person, zoneId), { ...over, zoneId });
  },
};
