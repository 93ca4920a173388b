import type { Pool } from "pg";

/**
 * Samples of an incident that is nearly over, as a keeper would have left them: an hour up to now, calm, then a backlog
 * that grows for half an hour and now drains; two minutes in it that nobody read. In `samples` each 5 s and in
 * `samples_minute` each minute, for persistence retry; the journal is calm.
 */
export async function makeSampledIncident(own: Pool): Promise<void> {
  await own.query(FINE);
  await own.query(MINUTES);
}

/** Minutes before now; the backlog by them, and what of it is how old. */
const SHAPE = `
  case when m > 40 then 60 + (m::int * 7) % 12 when m > 8 then 60 + (40 - m) * 22 else greatest(40, 764 - (8 - m) * 82) end as rows,
  case when m > 40 then 24000 + (m::int * 5) % 9 * 1000 when m > 8 then (40 - m) * 41000 else greatest(20000, 1312000 - (8 - m) * 90000) end as oldest`;
const AGES = `
  least(rows, 70 + rows * 0.1)::int as a1, (rows * 0.3 * (rows > 90)::int)::int as a2, (rows * 0.32 * (rows > 150)::int)::int as a3,
  (rows * 0.18 * (rows > 300)::int)::int as a4, (rows * 0.05 * (rows > 600)::int)::int as a5`;

const FINE = `
  insert into backstop.samples (queue, at, due, scheduled, retrying, leased, expired, processing, dead, open, oldest_due_ms,
      age_10s, age_1m, age_5m, age_30m, age_older, done, failed, died, lost_leases, stale_settles)
  select queue, at, case queue when 'persistence-retry' then a1 + a2 + a3 + a4 + a5 else 18 end,
      case queue when 'persistence-retry' then 3 end, case queue when 'persistence-retry' then 11 end,
      case queue when 'persistence-retry' then 8 end, case queue when 'persistence-retry' then 0 end,
      case queue when 'session-lifecycle' then 6 end, 21, 21, case queue when 'persistence-retry' then oldest end,
      case queue when 'persistence-retry' then a1 end, case queue when 'persistence-retry' then a2 end,
      case queue when 'persistence-retry' then a3 end, case queue when 'persistence-retry' then a4 end,
      case queue when 'persistence-retry' then a5 end, 30, 4, 1, 0, 0
    from (select *, ${AGES} from (
        select statement_timestamp() - n * interval '5 seconds' - interval '1 second' as at, n / 12.0 as m,
            ${SHAPE.replaceAll("m >", "n / 12.0 >").replaceAll("(8 - m)", "(8 - n / 12.0)").replaceAll("(40 - m)", "(40 - n / 12.0)").replaceAll("m::int", "(n / 12)")}
          from generate_series(0, 719) n) as shaped) as aged,
      unnest(array['persistence-retry', 'session-lifecycle']) as queue
   where m not between 20 and 22
  on conflict do nothing`;

const MINUTES = `
  insert into backstop.samples_minute (queue, minute, read_at, due, scheduled, retrying, leased, expired, processing, dead, open,
      oldest_due_ms, age_10s, age_1m, age_5m, age_30m, age_older, done, failed, died, lost_leases, stale_settles)
  select distinct on (queue, date_trunc('minute', at)) queue, date_trunc('minute', at), at, due, scheduled, retrying, leased,
      expired, processing, dead, open, oldest_due_ms, age_10s, age_1m, age_5m, age_30m, age_older,
      case queue when 'persistence-retry' then 500 + extract(minute from at)::int % 7 * 23 end,
      case queue when 'persistence-retry' then case when due > 100 then due / 4 else 6 end end,
      case queue when 'persistence-retry' then case when due > 300 then 12 else 0 end end,
      case queue when 'persistence-retry' then 0 end, case queue when 'persistence-retry' then 0 end
    from backstop.samples order by queue, date_trunc('minute', at), at desc
  on conflict do nothing`;
