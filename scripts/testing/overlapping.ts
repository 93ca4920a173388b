import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";

/**
 * Forces a race: holds a row in a session of its own, starts every press, waits until `blocked` of them really wait for
 * a lock, and then lets them all go at once. Twenty calls in `Promise.all` alone are not a race.
 */
export async function overlapping<T>(
  admin: Pool,
  hold: { text: string; values: unknown[] },
  presses: (() => Promise<T>)[],
  blocked = presses.length,
): Promise<T[]> {
  const holder = await admin.connect();
  try {
    await holder.query("begin");
    await holder.query(hold.text, hold.values);
    const results = Promise.all(presses.map((press) => press()));
    results.catch(() => {});
    await untilBlocked(admin, blocked);
    await holder.query("rollback");
    return await results;
  } finally {
    await holder.query("rollback").catch(() => {});
    holder.release();
  }
}

async function untilBlocked(admin: Pool, count: number): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { rows } = await admin.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows[0]?.n >= count) return;
    await sleep(10);
  }
  throw new Error(`fewer than ${count} sessions came to wait for the held row`);
}
