import type { Pool } from "pg";
import { execute, type Sql } from "@/lib/db/pg";
import type { Depths } from "@/lib/domain/queue";

/** $1 queue · $2 instant on the store's clock (ms) · $3… the counts. A second keeper's reading of the same instant is dropped. */
const INSERT: Sql = {
  name: "sample_insert",
  text: `insert into backstop.samples (queue, at, due, scheduled, retrying, leased, expired, processing, dead, oldest_due_ms)
    values ($1, to_timestamp($2::float8 / 1000), $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
};

/** Keeps one reading of a queue. */
export function writeSample(own: Pool, queue: string, depths: Depths): Promise<number> {
  const { due, scheduled, retrying, leased, expired, processing, dead, oldestDueMs } = depths;
  const oldest = oldestDueMs === null ? null : Math.round(oldestDueMs);
  return execute(own, INSERT, [
    queue,
    depths.atMs,
    due,
    scheduled,
    retrying,
    leased,
    expired,
    processing,
    dead,
    oldest,
  ]);
}

const PRUNE: Sql = {
  name: "samples_prune",
  text: `delete from backstop.samples where (queue, at) in (
    select queue, at from backstop.samples where at < statement_timestamp() - interval '48 hours' limit 5000)`,
};

/** Samples at 5 s are kept for 48 h. */
export function pruneSamples(own: Pool): Promise<number> {
  return execute(own, PRUNE);
}
