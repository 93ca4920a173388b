-- Faults that the demo makes on purpose: real ones, bounded, and over by themselves or mended with one click.

create table demo_faults (
  fault_id  bigint generated always as identity primary key,
  fault     text not null
            check (fault in ('row_lock', 'missing_right', 'worker_stopped', 'worker_frozen', 'poison')),
  begun_at  timestamptz not null,
  begun_by  text not null,
  -- When it is over by itself; null: when somebody mends it.
  ends_at   timestamptz,
  -- When the engine's process was frozen: once a fault, whoever thaws or restarts.
  frozen_at timestamptz,
  ended_at  timestamptz,
  ended_by  text
);
-- One fault at a time, however many ask at once: one cause, one picture on the desk.
create unique index demo_faults_open on demo_faults ((true)) where ended_at is null;

-- Whom a fault concerns, one write a character; the slot is what bounds them. While the fault is open everyday life
-- leaves these characters alone.
create table demo_fault_writes (
  fault_id     bigint not null references demo_faults (fault_id),
  slot         integer not null check (slot between 1 and 40),
  character_id uuid not null,
  retry_job_id uuid,
  job_kind     text,
  queued_at    timestamptz,
  primary key (fault_id, slot),
  unique (fault_id, character_id)
);
create index demo_fault_writes_job on demo_fault_writes (retry_job_id) where retry_job_id is not null;
create index demo_fault_writes_character on demo_fault_writes (character_id);
