import { randomInt, randomUUID } from "node:crypto";
import { type PersistDirectlyDeps, persistOrQueue } from "@/lib/engine/persistence-retry/persist";
import { newRetryJob, queuePersistenceRetryJobDurableWithMetrics } from "@/lib/engine/persistence-retry/queue";
import { locationWrite, rewardsWrite } from "./make-write";
import { type Picked, pickCharacters } from "./pick-characters";
import { OPEN_ZONES } from "./zones";

/** One write in so many goes through the durable retry path though nothing is wrong, as after a slow moment. */
const DURABLE_ONE_IN = 5;

/** A moment of the world: some characters walk, some win fights, each at most once. Answers how many wrote. */
export async function everyday(deps: PersistDirectlyDeps, writes: number): Promise<number> {
  const picked = await pickCharacters(deps.pool, writes);
  for (const character of picked) {
    const job =
      randomInt(3) === 0 ? rewardsWrite(character, character.zoneId) : locationWrite(character, walkTo(character));
    const retryJobId = randomUUID();
    if (randomInt(DURABLE_ONE_IN) > 0) await persistOrQueue(deps, retryJobId, job);
    else await queuePersistenceRetryJobDurableWithMetrics(deps, newRetryJob(retryJobId, job, deps.secret));
  }
  return picked.length;
}

/** Mostly they stay. Only ever to open zones: what nobody has been to must stay free to break. */
function walkTo({ zoneId, realmId }: Picked): string {
  const open = OPEN_ZONES.filter((zone) => zone.realmId === realmId);
  const stays = open.some((zone) => zone.zoneId === zoneId) && randomInt(20) > 0;
  return stays ? zoneId : (open[randomInt(open.length)]?.zoneId ?? zoneId);
}
