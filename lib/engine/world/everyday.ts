import { randomInt, randomUUID } from "node:crypto";
import { type PersistDirectlyDeps, persistOrQueue } from "@/lib/engine/persistence-retry/persist";
import { newRetryJob, queuePersistenceRetryJobDurableWithMetrics } from "@/lib/engine/persistence-retry/queue";
import { everydayWrite } from "./everyday-writes";
import { lifeLimits } from "./faults/life-limits";
import { locationWrite } from "./make-write";
import { pickCharacters } from "./pick-characters";

/** One write in so many goes through the durable retry path though nothing is wrong, as after a slow moment. */
const DURABLE_ONE_IN = 5;

/** A moment of the world: some characters walk, fight, dress or travel, each at most once. Answers how many wrote. */
export async function everyday(deps: PersistDirectlyDeps, writes: number): Promise<number> {
  const limits = await lifeLimits(deps.pool);
  const picked = await pickCharacters(deps.pool, writes);
  for (const character of picked) {
    const wanted = await everydayWrite(character, deps.pool);
    const fights = wanted.payload.kind === "combat_rewards";
    const job = fights && !limits.rewards ? locationWrite(character, character.zoneId) : wanted;
    const retryJobId = randomUUID();
    if (!limits.durable || randomInt(DURABLE_ONE_IN) > 0) await persistOrQueue(deps, retryJobId, job);
    else await queuePersistenceRetryJobDurableWithMetrics(deps, newRetryJob(retryJobId, job, deps.secret));
  }
  return picked.length;
}
