import type { Pool } from "pg";
import { execute, type Sql } from "@/lib/db/pg";
import type { QueueSample } from "@/lib/domain/queue-sample";

const COUNTS = ["done", "failed", "died", "lost_leases", "stale_settles"];
const READ = [
  ...["due", "scheduled", "retrying", "leased", "expired", "processing", "dead", "open", "oldest_due_ms"],
  ...["age_10s", "age_1m", "age_5m", "age_30m", "age_older", "capped", "durable_only", "enqueue_errors"],
];
const counts = COUNTS.join(", ");
const all = [...READ, ...COUNTS].join(", ");
const LATER = "m.read_at is null or m.read_at < excluded.read_at";
const later = (names: string[]) =>
  names.map((name) => `${name} = case when ${LATER} then excluded.${name} else m.${name} end`).join(", ");
/** Counts of a minute only grow, as does its highest age: a keeper that was frozen with a reading in hand takes nothing away. */
const grown = (names: string[]) => names.map((name) => `${name} = greatest(m.${name}, excluded.${name})`).join(", ");

/**
 * $1 the reading, $2 the minutes before its own (jsonb, by the names of the columns). One statement: the reading of
 * these 5 s, once, however many keepers bring one; its minute's last depths and highest age; and what the store has
 * counted in that minute and in those before it. A reading that came second changes nothing at all.
 */
const INSERT: Sql = {
  name: "sample_insert",
  text: `with read as (select * from jsonb_populate_record(null::backstop.samples, $1::jsonb)),
    kept as (
      insert into backstop.samples (queue, at, ${all}) select queue, at, ${all} from read
        on conflict do nothing returning queue),
    before as (
      insert into backstop.samples_minute as m (queue, minute, capped, ${counts})
        select kept.queue, minute, '{}', ${counts}
          from kept, jsonb_populate_recordset(null::backstop.samples_minute, $2::jsonb)
        on conflict (queue, minute) do update set ${grown(COUNTS)})
    insert into backstop.samples_minute as m (queue, minute, read_at, ${all})
      select queue, date_trunc('minute', at), at, ${all} from read where exists (select from kept)
      on conflict (queue, minute) do update set ${grown(["read_at", "oldest_due_ms", ...COUNTS])},
        ${later(READ.filter((name) => name !== "oldest_due_ms"))}`,
};

const MINUTE = 60_000;

/** Keeps one reading of a queue and its part in the minute. Gives 0 when these 5 s were read already. */
export function writeSample(own: Pool, queue: string, sample: QueueSample): Promise<number> {
  const { depths, resolved, minutes, counters } = sample;
  const ownMinuteMs = Math.floor(depths.atMs / MINUTE) * MINUTE;
  const counted = (minutes ?? []).map(({ minuteMs, lostLeases, staleSettles, ...rest }) => ({
    minuteMs,
    minute: new Date(minuteMs).toISOString(),
    ...rest,
    lost_leases: lostLeases,
    stale_settles: staleSettles,
  }));
  const [age10s, age1m, age5m, age30m, older] = depths.ages ?? [];
  const reading = {
    ...counted.find(({ minuteMs }) => minuteMs === ownMinuteMs),
    queue,
    at: new Date(depths.atMs).toISOString(),
    due: depths.due,
    scheduled: depths.scheduled,
    retrying: depths.retrying,
    leased: depths.leased,
    expired: depths.expired,
    processing: depths.processing,
    dead: depths.dead,
    open: depths.dead === null || resolved === null ? null : Math.max(0, depths.dead - resolved),
    oldest_due_ms: depths.oldestDueMs === null ? null : Math.round(depths.oldestDueMs),
    age_10s: age10s,
    age_1m: age1m,
    age_5m: age5m,
    age_30m: age30m,
    age_older: older,
    capped: depths.capped ?? [],
    durable_only: counters.durableOnly,
    enqueue_errors: counters.enqueueErrors,
  };
  const before = counted.filter(({ minuteMs }) => minuteMs < ownMinuteMs);
  return execute(own, INSERT, [JSON.stringify(reading), JSON.stringify(before)]);
}
