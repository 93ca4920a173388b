import { z } from "zod";
import { maybe, type Queryable, type Sql } from "@/lib/db/pg";
import { FaultName } from "@/lib/domain/demo-fault";
import { instant } from "@/lib/engine/pg/instant";
import type { DemoFault } from "@/lib/internal-rpc/demo-wire";

/**
 * The fault that is open. `leftMs`: until it is over by itself, on the store's clock; null: when somebody mends it.
 * `due`: it is a second old, so that nothing that was under way is mixed up with it.
 */
export type OpenFault = { faultId: string; fault: FaultName; leftMs: number | null; due: boolean };

const OPEN: Sql = {
  name: "demo_fault_open",
  text: `
    select fault_id::text, fault, begun_at < statement_timestamp() - interval '1 second' as due,
           case when ends_at is not null
             then (greatest(0, extract(epoch from ends_at - statement_timestamp())) * 1000)::float8 end as left_ms
      from demo_faults where ended_at is null`,
};

const Row = z
  .object({ fault_id: z.string(), fault: FaultName, left_ms: z.number().nullable(), due: z.boolean() })
  .transform(({ fault_id, fault, left_ms, due }): OpenFault => ({ faultId: fault_id, fault, leftMs: left_ms, due }));

/** The open fault, or null. */
export function findOpenFault(db: Queryable): Promise<OpenFault | null> {
  return maybe(db, OPEN, Row);
}

const STATE: Sql = {
  name: "demo_fault_state",
  text: `
    select f.fault, ${instant("f.begun_at")} as since, ${instant("f.ends_at")} as ends_at,
           ${instant("f.frozen_at")} as frozen_at, w.writes, w.writes_max, w.waiting, w.letters
      from demo_faults f,
           lateral (
             select count(queued_at)::int as writes, count(*)::int as writes_max,
                    count(*) filter (where exists (
                      select 1 from persistence_retry_jobs j where j.retry_job_id = w.retry_job_id))::int as waiting,
                    count(*) filter (where exists (
                      select 1 from persistence_job_dead_letters l where l.retry_job_id = w.retry_job_id))::int as letters
               from demo_fault_writes w where w.fault_id = f.fault_id
           ) as w
     where f.ended_at is null`,
};

const State = z.object({
  fault: FaultName,
  since: z.string(),
  ends_at: z.string().nullable(),
  frozen_at: z.string().nullable(),
  writes: z.number(),
  writes_max: z.number(),
  waiting: z.number(),
  letters: z.number(),
});

/** The open fault as the desk shows it, or null. */
export function readFaultState(db: Queryable): Promise<DemoFault | null> {
  return maybe(db, STATE, State);
}
