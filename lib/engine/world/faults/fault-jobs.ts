import type { FaultName } from "@/lib/domain/demo-fault";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { writeKey } from "@/lib/engine/world/envelope";
import { locationWrite, rewardsWrite } from "@/lib/engine/world/make-write";
import type { Picked } from "@/lib/engine/world/pick-characters";
import type { JournalFault } from "./fault";

// A key survives every retry and requeue: by it the worker's hook knows its jobs, in whichever process and life.
const FREEZES = "freeze";
const KILLS = "poison";

/** The write that a fault makes of one of its characters; the first of `poison` kills whoever applies it. */
export function faultJob(fault: Exclude<FaultName, JournalFault>, slot: number, picked: Picked): PersistenceRetryJob {
  switch (fault) {
    case "row_lock":
      return locationWrite(picked, picked.zoneId);
    case "missing_right":
      return rewardsWrite(picked, picked.zoneId);
    case "worker_stopped":
      return slot % 2 === 0 ? rewardsWrite(picked, picked.zoneId) : locationWrite(picked, picked.zoneId);
    case "worker_frozen":
      return keyed(locationWrite(picked, picked.zoneId), writeKey(FREEZES, picked));
    case "poison":
      return slot === 1
        ? keyed(rewardsWrite(picked, picked.zoneId), writeKey(KILLS, picked))
        : rewardsWrite(picked, picked.zoneId);
    default:
      return fault satisfies never;
  }
}

/** What such a job does to its process while its fault is open; null: it is like any other. */
export function harmOf({ idempotency: { key } }: PersistenceRetryJob): "freezes" | "kills" | null {
  if (key.startsWith(`${FREEZES}:`)) return "freezes";
  return key.startsWith(`${KILLS}:`) ? "kills" : null;
}

function keyed(job: PersistenceRetryJob, key: string): PersistenceRetryJob {
  return { ...job, idempotency: { ...job.idempotency, key } };
}
