import type pg from "pg";
import { execute, type Sql } from "@/lib/db/pg";

/** Hours of the demo's history that are kept. */
const KEPT_HOURS = 24;
const BATCH = 1_000;

// $1 rows
const LEDGER: Sql = {
  name: "world_prune_ledger",
  text: `delete from reward_ledger where ledger_id in (
           select ledger_id from reward_ledger
            where granted_at < statement_timestamp() - make_interval(hours => ${KEPT_HOURS})
            order by granted_at limit $1)`,
};

// The writes of a break that is over; the break itself stays: the first start must know that it was not the first.
const BREAK_WRITES: Sql = {
  name: "world_prune_break_writes",
  text: `delete from demo_break_writes where (break_id, slot) in (
           select w.break_id, w.slot from demo_break_writes w join demo_breaks b using (break_id)
            where b.mended_at < statement_timestamp() - make_interval(hours => ${KEPT_HOURS}) limit $1)`,
};

const FAULT_WRITES: Sql = {
  name: "world_prune_fault_writes",
  text: `delete from demo_fault_writes where (fault_id, slot) in (
           select w.fault_id, w.slot from demo_fault_writes w join demo_faults f using (fault_id)
            where f.ended_at < statement_timestamp() - make_interval(hours => ${KEPT_HOURS}) limit $1)`,
};

// Transfers that are over, or that nothing is left to activate. One that a waiting job or an active letter may mean stays.
const TRANSFERS: Sql = {
  name: "world_prune_transfers",
  text: `delete from character_transfers where transfer_id in (
           select t.transfer_id from character_transfers t
            where t.requested_at < statement_timestamp() - make_interval(hours => ${KEPT_HOURS})
              and not exists (select 1 from persistence_retry_jobs j
                               where j.character_id = t.character_id and j.job_kind = 'transfer_activation')
              and not exists (select 1 from persistence_job_dead_letters l
                               where l.character_id = t.character_id and l.job_kind = 'transfer_activation'
                                 and l.requeued_at is null)
            order by t.requested_at limit $1)`,
};

/** Removes what is older than a day, in small batches. */
export async function pruneWorld(pool: pg.Pool): Promise<void> {
  for (const statement of [LEDGER, BREAK_WRITES, FAULT_WRITES, TRANSFERS]) {
    while ((await execute(pool, statement, [BATCH])) === BATCH);
  }
}
