import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";

// The kinds that occur, by skipping through them: a plain `distinct` would read every row of a long table.
const kindsSql = (table: "persistence_retry_jobs" | "persistence_job_dead_letters"): Sql => ({
  name: `${table}_kinds`,
  text: `with recursive kinds as (
      (select job_kind from ${table} order by job_kind limit 1)
      union all
      select (select t.job_kind from ${table} t where t.job_kind > k.job_kind order by t.job_kind limit 1)
        from kinds k where k.job_kind is not null)
    select job_kind as kind from kinds where job_kind is not null limit 50`,
});

/** Kinds in the table, at most 50, in alphabetical order. */
export async function listKinds(pool: Pool, table: Parameters<typeof kindsSql>[0]): Promise<string[]> {
  const rows = await many(pool, kindsSql(table), z.object({ kind: z.string() }));
  return rows.map((row) => row.kind);
}
