import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

type Place = {
  /** What somebody else must hold for it. */
  hold: string;
  /** Of the statement that waits then. */
  waits: string;
};

/**
 * Where a keeper can be stopped in the middle of what it writes. A sample's statement has its row of 5 s and waits for
 * the row of its minute; a letter's transaction has begun, has its groups, or is committed without its cursor.
 */
export const HELD_UP = {
  "it writes a sample": {
    hold: "lock table backstop.samples in share row exclusive mode",
    waits: "insert into backstop.samples ",
  },
  "it rolls a sample up": {
    hold: `insert into backstop.samples_minute (queue, minute) select 'persistence-retry',
        date_trunc('minute', clock_timestamp()) + n * interval '1 minute' from generate_series(0, 1) n
      on conflict (queue, minute) do update set queue = excluded.queue`,
    waits: "insert into backstop.samples ",
  },
  "it writes groups": {
    hold: "lock table backstop.error_groups in share row exclusive mode",
    waits: "insert into backstop.error_groups ",
  },
  "it writes letters": {
    hold: "lock table backstop.dead_letters in share row exclusive mode",
    waits: "insert into backstop.dead_letters ",
  },
  "it moves a cursor": {
    hold: "lock table backstop.archive_cursors in share row exclusive mode",
    waits: "insert into backstop.archive_cursors ",
  },
  "it follows letters": {
    hold: "lock table backstop.dead_letters in share row exclusive mode",
    waits: "update backstop.dead_letters d set state = new.state",
  },
} as const satisfies Record<string, Place>;
export type HeldUpAt = keyof typeof HELD_UP;
export const HELD_UP_AT = Object.keys(HELD_UP) as HeldUpAt[];

/** $1 who holds · $2 of the statement. Keepers whose sessions have a name. */
const WAITING = `select application_name as name from pg_stat_activity
  where application_name like 'keeper-%' and $1::int = any(pg_blocking_pids(pid)) and position($2 in query) > 0`;

export type HeldUpOptions = {
  /** Called once it is held: what comes then is what a keeper is stopped at. */
  ready?: () => Promise<unknown>;
  /** With the name of a keeper that waits. False: it is none that was meant. */
  act(name: string): Promise<boolean>;
  withinMs?: number;
};

/**
 * Holds what a keeper needs until one waits for it, acts, and lets go. False: none came to wait in time.
 * @param admin may see and lock everything
 */
export async function heldUp(
  admin: pg.Pool,
  at: HeldUpAt,
  { ready, act, withinMs = 8_000 }: HeldUpOptions,
): Promise<boolean> {
  const { hold, waits } = HELD_UP[at];
  const holder = await admin.connect();
  try {
    await holder.query(`begin; set local lock_timeout = '3s'; ${hold}`);
    const { rows: own } = await holder.query("select pg_backend_pid() as pid");
    await ready?.();
    for (const end = performance.now() + withinMs; performance.now() < end; await sleep(20)) {
      const { rows } = await admin.query(WAITING, [own[0].pid, waits]);
      for (const { name } of rows) if (await act(name)) return true;
    }
    return false;
  } finally {
    await holder.query("rollback").catch(() => {});
    holder.release(true);
  }
}
