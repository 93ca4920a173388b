import type pg from "pg";

const LEVELS = ["due", "scheduled", "retrying", "leased", "expired", "dead", "open"];
const AGES = ["age_10s", "age_1m", "age_5m", "age_30m", "age_older"];
const of = (table: string) => [...LEVELS, ...AGES].map((name) => `${table}.${name}`).join(", ");

/** $1 queue. A minute is over for its counts once a sample has read it that began well after its end, and not too late. */
const VIOLATIONS = `
  with last as (
    select distinct on (date_trunc('minute', at)) s.*, date_trunc('minute', at) as minute,
        max(oldest_due_ms) over (partition by date_trunc('minute', at)) as oldest
      from backstop.samples s where queue = $1 order by date_trunc('minute', at), at desc
  ), rolled as (select * from backstop.samples_minute where queue = $1 and read_at is not null),
  counted as (
    select minute, sum(done)::int as done, sum(failed)::int as failed, sum(dead)::int as died,
        sum(coalesce(lost_leases, 0))::int as lost_leases, sum(coalesce(stale_settles, 0))::int as stale_settles
      from public.persistence_retry_minute_counts group by 1
  )
  select count(*) || ' samples of the 5 s from ' || slot as what
    from (select date_bin('5 seconds', at, '2000-01-01 00:00:00+00') as slot from backstop.samples where queue = $1) as slots
   group by slot having count(*) > 1
  union all
  select 'minute ' || coalesce(last.minute, m.minute) || ' is not what its samples say'
    from last full join rolled m using (minute)
   where (last.at, last.oldest, ${of("last")}) is distinct from (m.read_at, m.oldest_due_ms, ${of("m")})
  union all
  select 'minute ' || m.minute || ' counts otherwise than the store' from backstop.samples_minute m left join counted c using (minute)
   where m.queue = $1
     and exists (select from backstop.samples s where s.queue = $1
       and s.at > m.minute + interval '65 s' and s.at < m.minute + interval '175 s')
     and (m.done, m.failed, m.died, m.lost_leases, m.stale_settles) is distinct from (coalesce(c.done, 0),
       coalesce(c.failed, 0), coalesce(c.died, 0), coalesce(c.lost_leases, 0), coalesce(c.stale_settles, 0))`;

/**
 * What is wrong with the samples, in sentences: 5 s read twice, a minute that is not what its samples say, and one that
 * counts otherwise than the store.
 * @param admin may see the game's tables and the desk's, which are in one database
 */
export async function sampleViolations(admin: pg.Pool): Promise<string[]> {
  const { rows } = await admin.query(VIOLATIONS, ["persistence-retry"]);
  return rows.map((row) => row.what as string);
}
