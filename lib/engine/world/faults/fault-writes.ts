import { randomUUID } from "node:crypto";
import { z } from "zod";
import { maybe, type Queryable, type Sql, transaction } from "@/lib/db/pg";
import type { FaultName } from "@/lib/domain/demo-fault";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { type PersistDirectlyDeps, persistOrQueue } from "@/lib/engine/persistence-retry/persist";
import {
  insertRetryJob,
  newRetryJob,
  queuePersistenceRetryJobDurableWithMetrics,
  signalRetryWorker,
} from "@/lib/engine/persistence-retry/queue";
import { instant } from "@/lib/engine/pg/instant";
import { Picked } from "@/lib/engine/world/pick-characters";
import { isJournalFault, type JournalFault } from "./fault";
import { faultJob } from "./fault-jobs";
import type { OpenFault } from "./read-fault";

// $1 fault · $2 job. Two engines take two slots, and no slot is taken twice.
const TAKE: Sql = {
  name: "demo_fault_take_slot",
  text: `
    with next as (
      select w.fault_id, w.slot from demo_fault_writes w join demo_faults f using (fault_id)
       where f.fault_id = $1 and f.ended_at is null and w.queued_at is null
       order by w.slot limit 1 for update of w skip locked
    )
    update demo_fault_writes w set queued_at = clock_timestamp(), retry_job_id = $2
      from next, characters c
     where w.fault_id = next.fault_id and w.slot = next.slot and c.character_id = w.character_id
    returning w.slot, c.name, c.character_id, c.realm_id, c.version::text, c.zone_id, ${instant("clock_timestamp()")} as now`,
};

const Slot = z.intersection(z.object({ slot: z.number(), name: z.string() }), Picked);

type Taking = { faultId: string; fault: Exclude<FaultName, JournalFault> };
type Taken = { retryJobId: string; job: PersistenceRetryJob };

/** The next of a fault's characters; null: all were taken, or the fault is over. */
export function takeSlot(db: Queryable, faultId: string, jobId: string): Promise<z.output<typeof Slot> | null> {
  return maybe(db, TAKE, Slot, [faultId, jobId]);
}

/** What the open fault lets somebody try to write: one write a call, or all at once where one claim must hold them. */
export async function writeForFault(deps: PersistDirectlyDeps, open: OpenFault): Promise<void> {
  const { fault } = open;
  if (isJournalFault(fault)) return;
  const taking = { ...open, fault };
  switch (fault) {
    case "row_lock":
    case "missing_right": {
      const taken = await take(deps.pool, taking);
      if (taken) await persistOrQueue(deps, taken.retryJobId, taken.job);
      return;
    }
    case "worker_stopped": {
      const taken = await take(deps.pool, taking);
      if (taken) await queue(deps, taken);
      return;
    }
    case "worker_frozen":
    case "poison":
      return queueTogether(deps, taking);
    default:
      return fault satisfies never;
  }
}

/** All of them are there at once, and then the worker is told: a poll cannot take the first before the last is there. */
async function queueTogether(deps: PersistDirectlyDeps, open: Taking): Promise<void> {
  const told = await transaction(deps.pool, async (client) => {
    const ids: string[] = [];
    for (let taken = await take(client, open); taken; taken = await take(client, open)) {
      await insertRetryJob(client, newRetryJob(taken.retryJobId, taken.job, deps.secret));
      ids.push(taken.retryJobId);
    }
    return ids;
  });
  for (const retryJobId of told) signalRetryWorker(deps, retryJobId);
}

async function take(db: Queryable, { faultId, fault }: Taking): Promise<Taken | null> {
  const retryJobId = randomUUID();
  const slot = await takeSlot(db, faultId, retryJobId);
  return slot && { retryJobId, job: faultJob(fault, slot.slot, slot) };
}

function queue(deps: PersistDirectlyDeps, { retryJobId, job }: Taken) {
  return queuePersistenceRetryJobDurableWithMetrics(deps, newRetryJob(retryJobId, job, deps.secret));
}
