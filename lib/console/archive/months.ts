import type { Pool } from "pg";
import { z } from "zod";
import { execute, many, type Queryable, type Sql } from "@/lib/db/pg";

/** Months that a letter is kept for after its own; one that nobody is done with is kept longer. */
export const ARCHIVE_MONTHS = 13;

/** $1 instants of death. Only in the months that the calendar of the function has; what has none lies in the default. */
const MAKE_MONTHS: Sql = {
  name: "archive_make_months",
  text: `select backstop.make_dead_letters_month(month) from (
    select distinct date_trunc('month', at at time zone 'utc')::date as month from unnest($1::timestamptz[]) as at
     where isfinite(at) and at >= timestamptz '1970-01-01Z' and at < timestamptz '9999-01-01Z') as months`,
};

/** Makes the months that some letters died in. Before the letters: a row that comes too early lies in the default. */
export function makeMonths(db: Queryable, diedAt: string[]): Promise<number> {
  return execute(db, MAKE_MONTHS, [[...new Set(diedAt)]]);
}

/** Ahead of its first letter, which need not wait for it then. */
const MAKE_NEXT: Sql = {
  name: "archive_make_next_months",
  text: `select backstop.make_dead_letters_month((date_trunc('month', statement_timestamp() at time zone 'utc')
    + make_interval(months => ahead))::date) from generate_series(0, 1) as ahead`,
};

// A day later than the months that are read: the two stores' clocks need not agree.
const KEPT_SINCE = `(date_trunc('month', (statement_timestamp() - interval '1 day') at time zone 'utc')
  - make_interval(months => $1::int)) at time zone 'utc'`;

/** $1 months. Partitions that are older, oldest first. */
const OLD_MONTHS: Sql = {
  name: "archive_old_months",
  text: `select month::text from (
      select to_date(substr(c.relname, 14), 'YYYY_MM') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'backstop.dead_letters'::regclass and c.relname ~ '^dead_letters_\\d{4}_\\d{2}$') as made
    where month < (${KEPT_SINCE} at time zone 'utc')::date order by month limit 120`,
};

/** $1 month. */
const DROP_MONTH: Sql = {
  name: "archive_drop_month",
  text: "select backstop.drop_dead_letters_month($1::date) as dropped",
};

/** $1 months · $2 limit. Of months that stay for a letter that nobody is done with, all others. */
const PRUNE: Sql = {
  name: "archive_prune_settled",
  text: `delete from backstop.dead_letters d using (
      select queue, letter_id, generation, died_at from backstop.dead_letters
       where died_at < ${KEPT_SINCE} and state not in ('open', 'resolved', 'awaiting', 'requeued_elsewhere') limit $2) as old
    where d.queue = old.queue and d.letter_id = old.letter_id and d.generation = old.generation and d.died_at = old.died_at`,
};

/** $1 months · $2 limit. A group without letters goes with them, unless somebody wrote on it. */
const PRUNE_GROUPS: Sql = {
  name: "archive_prune_groups",
  text: `delete from backstop.error_groups where group_id in (
      select group_id from backstop.error_groups g where last_seen_at < ${KEPT_SINCE}
         and not exists (select from backstop.dead_letters d where d.group_id = g.group_id)
         and not exists (select from backstop.group_notes n where n.group_id = g.group_id) limit $2)`,
};

const BATCH = 5_000;

/**
 * Makes this month and the next, and takes away what is older than `months`: whole months where everybody is done with
 * their letters, else the letters of them that somebody is done with. Answers which months went.
 */
export async function keepMonths(own: Pool, months = ARCHIVE_MONTHS): Promise<string[]> {
  await execute(own, MAKE_NEXT);
  const old = await many(own, OLD_MONTHS, z.object({ month: z.string() }), [months]);
  const gone: string[] = [];
  for (const { month } of old) {
    const [drop] = await many(own, DROP_MONTH, z.object({ dropped: z.boolean() }), [month]);
    if (drop?.dropped) gone.push(month);
  }
  for (let round = 0; round < 20 && (await execute(own, PRUNE, [months, BATCH])) === BATCH; round += 1);
  await execute(own, PRUNE_GROUPS, [months, BATCH]);
  return gone;
}
