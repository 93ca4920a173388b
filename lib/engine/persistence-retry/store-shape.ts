import type pg from "pg";
import { z } from "zod";
import { one, type Sql } from "@/lib/db/pg";

/** What the store has beside the seed's two tables. */
export type StoreShape = {
  /** Our columns and tables: sources, operations, outcomes, attempts, applied keys. */
  traces: boolean;
};

const SHAPE: Sql = {
  name: "persistence_store_shape",
  text: `
    select to_regclass('persistence_retry_jobs') is not null
             and to_regclass('persistence_job_dead_letters') is not null as seed,
           (select count(*) = 10 from pg_attribute
             where attrelid in (to_regclass('persistence_retry_jobs'), to_regclass('persistence_job_dead_letters'))
               and attname in ('source', 'session_impact', 'session_token_hash', 'requeued_from', 'operation_id')
               and not attisdropped)
             and to_regclass('persistence_retry_operations') is not null
             and to_regclass('persistence_retry_outcomes') is not null
             and to_regclass('persistence_applied_keys') is not null as traces`,
};

const known = new WeakMap<pg.Pool, Promise<StoreShape>>();

/**
 * Looks once per pool; a look that failed is not remembered. Throws where the seed's two tables are missing.
 */
export function storeShape(pool: pg.Pool): Promise<StoreShape> {
  const before = known.get(pool);
  if (before) return before;
  const looked = look(pool);
  known.set(pool, looked);
  looked.catch(() => known.delete(pool));
  return looked;
}

async function look(pool: pg.Pool): Promise<StoreShape> {
  const found = await one(pool, SHAPE, z.object({ seed: z.boolean(), traces: z.boolean() }));
  if (!found.seed) throw new Error("The store has no persistence_retry_jobs and persistence_job_dead_letters.");
  return { traces: found.traces };
}
