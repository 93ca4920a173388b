-- The two tables of persistence retry, as every game server has them.
-- Nothing here touches the payload: no check, no cast, no generated column. A durable write must not be refused.

create table persistence_retry_jobs (
  retry_job_id     uuid primary key,
  job_kind         text not null,
  character_id     uuid not null,
  realm_id         text not null,
  zone_id          text,
  payload          text not null,
  last_error       text,
  attempt_count    integer not null default 0,
  next_attempt_at  timestamptz not null,
  lease_token      uuid,
  lease_owner      text,
  lease_expires_at timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null
);

-- The order of the due loader. Leased rows keep their place in it: a claim holds a few hundred at most.
create index persistence_retry_jobs_due on persistence_retry_jobs (next_attempt_at, created_at);

create table persistence_job_dead_letters (
  dead_letter_id        uuid primary key,
  retry_job_id          uuid not null,
  job_kind              text not null,
  character_id          uuid not null,
  realm_id              text not null,
  zone_id               text,
  payload               text not null,
  failed_attempts       integer not null,
  error                 text not null,
  dead_lettered_at      timestamptz not null,
  requeued_at           timestamptz,
  requeued_retry_job_id uuid
);

create index persistence_job_dead_letters_active on persistence_job_dead_letters (dead_lettered_at, dead_letter_id)
  where requeued_at is null;
