import type pg from "pg";
import { z } from "zod";
import { one, type Sql } from "@/lib/db/pg";

// The states of the vocabulary, on the database clock.
const DEPTHS: Sql = {
  name: "engine_depths",
  text: `
    select count(*) filter (where lease_expires_at > statement_timestamp())::int as leased,
           count(*) filter (where lease_expires_at <= statement_timestamp())::int as expired,
           count(*) filter (where lease_expires_at is null and next_attempt_at <= statement_timestamp())::int as due,
           count(*) filter (where lease_expires_at is null and next_attempt_at > statement_timestamp()
                              and attempt_count > 0)::int as retrying,
           count(*) filter (where lease_expires_at is null and next_attempt_at > statement_timestamp()
                              and attempt_count <= 0)::int as scheduled,
           (select count(*)::int from persistence_job_dead_letters where requeued_at is null) as dead
      from persistence_retry_jobs`,
};

export const JOB_STATES = ["due", "scheduled", "retrying", "leased", "expired"] as const;

const Depths = z.object({
  due: z.number(),
  scheduled: z.number(),
  retrying: z.number(),
  leased: z.number(),
  expired: z.number(),
  /** Active dead letters. */
  dead: z.number(),
});

/** How many jobs are in each state, and how many dead letters are active, at one instant. */
export const readDepths = (pool: pg.Pool): Promise<z.output<typeof Depths>> => one(pool, DEPTHS, Depths);
