import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";

// The kinds that occur, by skipping through them: a plain `distinct` would read every row of a long table.
const KINDS: Sql = {
  name: "persistence_retry_jobs_kinds",
  text: `with recursive kinds as (
      (select job_kind from persistence_retry_jobs order by job_kind limit 1)
      union all
      select (select t.job_kind from persistence_retry_jobs t where t.job_kind > k.job_kind order by t.job_kind limit 1)
        from kinds k where k.job_kind is not null)
    select job_kind as kind from kinds where job_kind is not null limit 50`,
};

/** Kinds of the jobs, at most 50, in alphabetical order. */
export async function listKinds(pool: Pool): Promise<string[]> {
  const rows = await many(pool, KINDS, z.object({ kind: z.string() }));
  return rows.map((row) => row.kind);
}
