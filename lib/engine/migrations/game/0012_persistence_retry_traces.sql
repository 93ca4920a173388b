-- What the reference engine writes beside the seed's columns. All nullable: a row that somebody else inserts stays valid.

alter table persistence_retry_jobs
  add column source             text,
  add column session_impact     text,
  add column session_token_hash text,
  add column requeued_from      uuid,
  add column operation_id       uuid,
  add column lost_leases        integer;

alter table persistence_job_dead_letters
  add column source             text,
  add column session_impact     text,
  add column session_token_hash text,
  add column requeued_from      uuid,
  add column operation_id       uuid;

-- 'Newer job or letter of the same character and kind', and the lists of one character.
create index persistence_retry_jobs_character on persistence_retry_jobs (character_id, job_kind, created_at);
create index persistence_job_dead_letters_character
  on persistence_job_dead_letters (character_id, job_kind, dead_lettered_at);
-- The letter that a job died into: the chain of lives.
create index persistence_job_dead_letters_job on persistence_job_dead_letters (retry_job_id);
create index persistence_job_dead_letters_dead_at on persistence_job_dead_letters (dead_lettered_at, dead_letter_id);

-- What became of a requeued job. Written in the settling transaction; kept 30 days.
create table persistence_retry_outcomes (
  retry_job_id        uuid primary key,
  -- The letter that the job was requeued from.
  dead_letter_id      uuid not null,
  operation_id        uuid,
  outcome             text not null check (outcome in ('recovered', 'superseded', 'died_again')),
  -- The letter that it died into, when it died again.
  next_dead_letter_id uuid,
  settled_at          timestamptz not null
);
create index persistence_retry_outcomes_letter on persistence_retry_outcomes (dead_letter_id);
create index persistence_retry_outcomes_operation on persistence_retry_outcomes (operation_id)
  where operation_id is not null;
create index persistence_retry_outcomes_settled on persistence_retry_outcomes (settled_at);

-- Tries of a job, each failure and, where there was something to tell, the success. Kept 30 days, or while the letter is active.
create table persistence_retry_attempts (
  retry_job_id uuid not null,
  attempt      integer not null,
  started_at   timestamptz not null,
  duration_ms  integer not null,
  worker       text not null,
  -- Null: it succeeded.
  error        text,
  primary key (retry_job_id, attempt)
);
create index persistence_retry_attempts_started on persistence_retry_attempts (started_at);

create table persistence_retry_minute_counts (
  minute        timestamptz not null,
  job_kind      text not null,
  worker        text not null,
  done          integer not null default 0,
  failed        integer not null default 0,
  dead          integer not null default 0,
  lost_leases   integer not null default 0,
  stale_settles integer not null default 0,
  primary key (minute, job_kind, worker)
);

-- What was answered for a letter in an operation: the read-back of an unknown outcome. Kept 30 days.
create table persistence_retry_operations (
  operation_id   uuid not null,
  dead_letter_id uuid not null,
  expect         jsonb,
  answer         jsonb not null,
  actor          text,
  answered_at    timestamptz not null,
  primary key (operation_id, dead_letter_id)
);
create index persistence_retry_operations_letter on persistence_retry_operations (dead_letter_id);
create index persistence_retry_operations_answered on persistence_retry_operations (answered_at);

-- Each write lands once: its key is taken in the transaction of the write. Kept 90 days.
create table persistence_applied_keys (
  idempotency_key text primary key,
  -- The job that wrote. A write that went through directly has the id that it would have been queued under.
  retry_job_id    uuid not null,
  applied_at      timestamptz not null
);
create index persistence_applied_keys_applied on persistence_applied_keys (applied_at);
