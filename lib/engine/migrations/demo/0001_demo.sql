-- The demo's own state. These tables exist only where the demo runs.

create table demo_breaks (
  break_id  bigint generated always as identity primary key,
  zone_id   text not null,
  realm_id  text not null,
  zone_name text not null,
  broken_at timestamptz not null,
  broken_by text not null,
  mended_at timestamptz,
  mended_by text
);
-- One break at a time, however many ask at once.
create unique index demo_breaks_open on demo_breaks ((true)) where mended_at is null;

-- The writes that a break made fail. A slot each: that is what bounds the letters of a break.
create table demo_break_writes (
  break_id     bigint not null references demo_breaks (break_id),
  slot         integer not null check (slot between 1 and 40),
  retry_job_id uuid not null,
  character_id uuid not null,
  job_kind     text not null,
  queued_at    timestamptz not null,
  primary key (break_id, slot)
);
create index demo_break_writes_job on demo_break_writes (retry_job_id);

-- One row: who drives the world, leased on the database clock, and when somebody last looked.
create table demo_world (
  singleton      boolean primary key default true check (singleton),
  viewer_seen_at timestamptz not null,
  driver         text,
  driver_until   timestamptz
);
