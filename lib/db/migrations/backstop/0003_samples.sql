-- What a reading of a queue tells beside its depths. A null is what was not told, never a zero.
alter table samples
  -- Dead and not resolved.
  add column open           integer,
  -- What may be taken now, by the time since it was queued: under 10 s, 1 min, 5 min, 30 min, and older.
  add column age_10s        integer,
  add column age_1m         integer,
  add column age_5m         integer,
  add column age_30m        integer,
  add column age_older      integer,
  -- Counts that the store stopped at: at least so many.
  add column capped         text[] not null default '{}',
  -- In the minute of the reading, so far.
  add column done           integer,
  add column failed         integer,
  add column died           integer,
  add column lost_leases    integer,
  add column stale_settles  integer,
  -- Counters since the start of the engine, as it tells them: durable_only by its reason, and enqueue errors of cleanups.
  add column durable_only   jsonb,
  add column enqueue_errors integer;

-- One reading each 5 s: a second keeper's, of the same 5 s, is none.
delete from samples s using samples o
  where s.queue = o.queue and s.at > o.at and s.at < o.at + interval '5 seconds'
    and date_bin('5 seconds', s.at, '2000-01-01 00:00:00+00') = date_bin('5 seconds', o.at, '2000-01-01 00:00:00+00');
create unique index samples_slot on samples (queue, (date_bin('5 seconds', at, '2000-01-01 00:00:00+00')));

-- The same by the minute: the last depths and the highest age that were read in it, and all that was counted in it.
create table samples_minute (
  queue          text not null,
  minute         timestamptz not null,
  -- When the depths were read; null: nobody read them in this minute.
  read_at        timestamptz,
  due            integer,
  scheduled      integer,
  retrying       integer,
  leased         integer,
  expired        integer,
  processing     integer,
  dead           integer,
  open           integer,
  oldest_due_ms  bigint,
  age_10s        integer,
  age_1m         integer,
  age_5m         integer,
  age_30m        integer,
  age_older      integer,
  capped         text[] not null default '{}',
  done           integer,
  failed         integer,
  died           integer,
  lost_leases    integer,
  stale_settles  integer,
  durable_only   jsonb,
  enqueue_errors integer,
  primary key (queue, minute)
);
create index samples_minute_minute on samples_minute (minute);

-- What the charts mark: requeues, and what was done to the demo.
create index operations_intended on operations (intended_at) where intended_at is not null;
create index audit_demo on audit (at) where action like 'demo\_%' and phase = 'outcome';
