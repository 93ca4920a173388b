import type { Pool } from "pg";
import { execute, type Sql } from "@/lib/db/pg";

/** $1 rows at most. Served by the index on the time. */
const PRUNE: Sql = {
  name: "samples_prune",
  text: `delete from backstop.samples where ctid = any(array(
    select ctid from backstop.samples where at < statement_timestamp() - interval '48 hours' order by at limit $1))`,
};

/** $1 rows at most. In hours: a day in a database whose clocks change is an hour shorter or longer once a year. */
const PRUNE_MINUTES: Sql = {
  name: "samples_minute_prune",
  text: `delete from backstop.samples_minute where ctid = any(array(
    select ctid from backstop.samples_minute where minute < statement_timestamp() - interval '720 hours'
    order by minute limit $1))`,
};

/** A minute's turn ends here, so that a desk that was off for days catches up in minutes without one long statement. */
const BATCH = 5_000;
const BATCHES_MAX = 20;

/**
 * Samples of 5 s are kept for 48 h and those of a minute for 30 days: two queues bring 24 rows a minute, and a turn
 * takes up to 100,000. Gives how many went.
 */
export async function pruneSamples(own: Pool, batch = BATCH): Promise<number> {
  return (await pruneAll(own, PRUNE, batch)) + (await pruneAll(own, PRUNE_MINUTES, batch));
}

async function pruneAll(own: Pool, sql: Sql, batch: number): Promise<number> {
  let gone = 0;
  for (let turn = 0; turn < BATCHES_MAX; turn += 1) {
    const went = await execute(own, sql, [batch]);
    gone += went;
    if (went < batch) break;
  }
  return gone;
}
