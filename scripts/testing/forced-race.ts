import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/**
 * Runs all of `presses` against a row that a session of our own holds, lets go once every one of them waits for a
 * lock, and answers what became of each. Twenty calls at once are not a race: the first is done before the last begins.
 * @param lock the statement that takes the row, such as `select … for update`
 * @param watch a pool that may see the waiting sessions (the same role as theirs)
 */
export async function overlapping<T>(
  watch: pg.Pool,
  lock: { text: string; values: unknown[] },
  presses: (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const holder = await watch.connect();
  try {
    await holder.query("begin");
    await holder.query(lock.text, lock.values);
    const running = presses.map((press) => press());
    const settled = Promise.allSettled(running);
    await untilBlocked(watch, presses.length);
    await holder.query("rollback");
    return await settled;
  } finally {
    holder.release(true);
  }
}

/** Waits until so many sessions of this database wait for a lock. */
export async function untilBlocked(db: { query(text: string): Promise<pg.QueryResult> }, count: number): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    // Within a transaction Postgres would go on showing the activity as it was at the first look.
    await db.query("select pg_stat_clear_snapshot()");
    const { rows } = await db.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows[0].n >= count) return;
    await sleep(20);
  }
  throw new Error(`not ${count} sessions came to wait for a lock within 10 s`);
}
