import type { Pool } from "pg";

/*
 * What an incident's numbers are by the databases themselves: letters, their ends and their times from the game's own
 * tables, decisions from the audit. The archive, which the pages are made of, is asked only for what it alone has: the
 * titles and numbers of its groups, and when a letter was resolved. None of the product's readers takes part.
 */

const iso = (at: string) => `to_char(${at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const clock = (at: string) => `to_char(${at} at time zone 'utc', 'HH24:MI:SS')`;

/** Every letter of the store with what became of it. */
const STORED = `decided as (
    select jsonb_array_elements_text(target -> 'letterIds') as letter_id, reason
      from backstop.audit where action = 'resolve' and phase = 'outcome'
  ), stored as (
    select l.*, c.name, o.settled_at, o.next_dead_letter_id, d.reason as resolved_reason,
        case when l.requeued_at is not null then coalesce(o.outcome, 'awaiting')
          when d.letter_id is not null then 'resolved' else 'open' end as state
      from persistence_job_dead_letters l join characters c on c.character_id = l.character_id
      left join persistence_retry_outcomes o on o.dead_letter_id = l.dead_letter_id
      left join decided d on d.letter_id = l.dead_letter_id::text
  )`;

/** One cause within a stretch of time. Instants as ISO 8601 in UTC, `…Clock` as `03:41:07`. */
export type CauseFacts = {
  kind: string;
  title: string;
  letters: number;
  characters: number;
  first: string;
  last: string;
  firstClock: string;
  lastClock: string;
  /** Its first letter of all times. */
  everFirst: string;
  /** When a letter of it was last put back; null: none was. */
  requeued: string | null;
  open: number;
  resolved: number;
  recovered: number;
  died_again: number;
  others: number;
};

/** Each cause by its kind, the largest first; `states`: of letters in these alone. */
export async function causesOf(
  all: Pool,
  { from = "-infinity", to = "infinity", states = null }: { from?: string; to?: string; states?: string[] | null },
): Promise<CauseFacts[]> {
  const state = (name: string) => `count(*) filter (where state = '${name}')::int as ${name}`;
  const { rows } = await all.query(
    `with ${STORED}
     select job_kind as kind, (select string_agg(title, ' | ') from backstop.error_groups g where g.kind = s.job_kind) as title,
       count(*)::int as letters, count(distinct character_id)::int as characters,
       ${iso("min(dead_lettered_at)")} as first, ${iso("max(dead_lettered_at)")} as last,
       ${clock("min(dead_lettered_at)")} as "firstClock", ${clock("max(dead_lettered_at)")} as "lastClock",
       (select ${iso("min(e.dead_lettered_at)")} from persistence_job_dead_letters e where e.job_kind = s.job_kind) as "everFirst",
       ${iso("max(requeued_at)")} as requeued,
       ${["open", "resolved", "recovered", "died_again"].map(state).join(", ")},
       count(*) filter (where state not in ('open', 'resolved', 'recovered', 'died_again'))::int as others
     from stored s where dead_lettered_at >= $1 and dead_lettered_at < $2 and ($3::text[] is null or state = any($3))
     group by job_kind order by letters desc`,
    [from, to, states],
  );
  return rows;
}

/** What the Overview counts. `deaths`: what the engine counted of the last 15 minutes. */
export async function overviewOf(all: Pool) {
  const { rows } = await all.query(
    `with ${STORED}
     select count(*) filter (where requeued_at is null)::int as dead, count(*) filter (where state = 'open')::int as open,
       (select count(*)::int from persistence_retry_jobs) as jobs,
       (select coalesce(sum(dead), 0)::int from persistence_retry_minute_counts
         where minute > date_trunc('minute', statement_timestamp()) - interval '15 minutes') as deaths
     from stored`,
  );
  return rows[0] as { dead: number; open: number; jobs: number; deaths: number };
}

export type Hit = { name: string; letters: string };

/** Whom a cause hit most: `what` is a column of the letters, `name` what it is called by. */
export async function hitOf(all: Pool, kind: string, what: "character_id" | "realm_id" | "zone_id"): Promise<Hit[]> {
  const name = what === "character_id" ? "max(name)" : `max(${what})`;
  const { rows } = await all.query(
    `with ${STORED} select ${name} as name, count(*)::text as letters from stored where job_kind = $1
     group by ${what} order by count(*) desc, ${what}::text limit 5`,
    [kind],
  );
  return rows;
}

/** The letter of a kind that died last, and the life before it. */
export async function newestOf(all: Pool, kind: string) {
  const { rows } = await all.query(
    `select n.dead_letter_id::text as id, n.failed_attempts as attempts, n.error, ${iso("n.dead_lettered_at")} as died,
       ${clock("n.dead_lettered_at")} as "diedClock", n.requeued_from::text as before, e.failed_attempts as "attemptsBefore",
       ${clock("e.requeued_at")} as "requeuedClock", p.reason, u.display_name as by,
       (select count(*)::int from persistence_retry_attempts a where a.retry_job_id = n.retry_job_id) as kept
     from persistence_job_dead_letters n join persistence_job_dead_letters e on e.dead_letter_id = n.requeued_from
     join persistence_retry_operations o on o.dead_letter_id = e.dead_letter_id
     join backstop.operations p on p.operation_id = o.operation_id join backstop.users u on u.user_id = p.planned_by
     where n.job_kind = $1 order by n.dead_lettered_at desc limit 1`,
    [kind],
  );
  return rows[0];
}

/** Every letter of a stretch of time as a file should have it, the newest first. */
export async function lettersOf(
  all: Pool,
  from: string,
  to: string,
): Promise<Record<string, string | number | null>[]> {
  const { rows } = await all.query(
    `with ${STORED}
     select 'persistence-retry' as queue, dead_letter_id::text as letter_id, 1 as generation,
       ${iso("dead_lettered_at")} as died_at, state,
       ${iso(`case state when 'open' then dead_lettered_at when 'resolved' then (select resolved_at from backstop.dead_letters d
         where d.letter_id = s.dead_letter_id::text) else settled_at end`)} as state_since,
       retry_job_id::text as job_id, job_kind as kind, character_id::text as character_id, name as character_name,
       realm_id as realm, zone_id as zone, failed_attempts as attempts, ${iso("requeued_at")} as requeued_at,
       requeued_from::text as requeued_from, next_dead_letter_id::text as next_letter_id, resolved_reason,
       (select string_agg(group_id::text, ' | ') from backstop.error_groups g where g.kind = s.job_kind) as error_group, error
     from stored s where dead_lettered_at >= $1 and dead_lettered_at < $2
     order by dead_lettered_at desc, dead_letter_id desc`,
    [from, to],
  );
  return rows;
}

export type DoneFacts = { at: string; clock: string; by: string; reason: string } & (
  | { what: "requeue"; letterId: string }
  | { what: "resolve"; letters: number }
);

/** What people did: each letter that the game has requeued for somebody of this desk, and each decision. In order. */
export async function doneOf(all: Pool): Promise<DoneFacts[]> {
  const { rows } = await all.query(
    `select ${iso("done.at")} as at, ${clock("done.at")} as clock, done.by, done.reason, done.what,
       done.letter_id as "letterId", done.letters
     from (
       select a.at, u.display_name as by, p.reason, 'requeue' as what, o.dead_letter_id::text as letter_id, null::int as letters
         from persistence_retry_operations o join backstop.users u on u.user_id::text = o.actor
         left join backstop.operations p on p.operation_id = o.operation_id
         left join backstop.audit a on a.operation_id = o.operation_id and a.phase = 'outcome'
        where o.answer ->> 'answer' = 'requeued'
       union all
       select a.at, u.display_name, a.reason, 'resolve', null,
           (select count(*)::int from backstop.dead_letters d where d.resolved_by = u.user_id and d.resolved_reason = a.reason)
         from backstop.audit a join backstop.users u on u.user_id::text = a.actor_id
        where a.action = 'resolve' and a.phase = 'outcome') as done
     order by done.at`,
  );
  return rows;
}
