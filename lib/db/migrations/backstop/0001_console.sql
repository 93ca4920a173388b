-- The console's own. Times are the database's clock; ids of letters and jobs are text, as each queue has its own form.

create table users (
  user_id       uuid primary key default gen_random_uuid(),
  username      text not null check (username = lower(username) and length(username) between 1 and 64),
  display_name  text not null check (length(display_name) between 1 and 80),
  role          text not null check (role in ('viewer', 'operator', 'admin')),
  password_hash text not null,
  created_at    timestamptz not null default clock_timestamp(),
  disabled_at   timestamptz
);
create unique index users_username on users (username);

-- A session's token is 32 random bytes; only its hash is kept.
create table sessions (
  token_hash   bytea primary key,
  user_id      uuid not null references users on delete cascade,
  created_at   timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  expires_at   timestamptz not null
);
create index sessions_user on sessions (user_id);

-- One row at most: the token that the first admin is made with.
create table setup_tokens (
  singleton  boolean primary key default true check (singleton),
  token_hash bytea not null,
  expires_at timestamptz not null
);

create table sign_in_attempts (
  attempt_id bigint generated always as identity primary key,
  username   text not null,
  address    text not null,
  at         timestamptz not null default clock_timestamp()
);
create index sign_in_attempts_username on sign_in_attempts (username, at);
create index sign_in_attempts_address on sign_in_attempts (address, at);

-- One decision to requeue: plan, intent, effect.
create table operations (
  operation_id  uuid primary key,
  queue         text not null,
  state         text not null check (state in ('planned', 'intended', 'unknown', 'answered', 'not_sent')),
  plan_hash     text not null,
  planned_by    uuid not null references users,
  planned_at    timestamptz not null default clock_timestamp(),
  intended_at   timestamptz,
  reason        text,
  acknowledged  text[] not null default '{}',
  -- When the last signature that may have been sent for it can no longer be accepted, on the database clock.
  sendable_until timestamptz,
  ended_at      timestamptz,
  error         jsonb
);
create index operations_unanswered on operations (intended_at) where state in ('intended', 'unknown');
create index operations_unused on operations (planned_at) where state = 'planned';

create table operation_items (
  operation_id uuid not null references operations on delete cascade,
  letter_id    text not null,
  judged       jsonb not null,
  findings     jsonb not null,
  expect       jsonb,
  answer       text,
  answer_detail jsonb,
  new_job_id   text,
  outcome      text,
  outcome_detail jsonb,
  outcome_at   timestamptz,
  followed_at  timestamptz,
  primary key (operation_id, letter_id)
);
create index operation_items_letter on operation_items (letter_id);
create index operation_items_awaiting on operation_items (operation_id) where outcome = 'awaiting';

-- Append-only by right: the working role may insert and select.
create table audit (
  audit_id     bigint generated always as identity primary key,
  at           timestamptz not null default clock_timestamp(),
  phase        text not null check (phase in ('intent', 'outcome', 'refusal')),
  action       text not null,
  actor_id     text not null,
  actor_name   text not null,
  actor_role   text not null,
  address      text,
  operation_id uuid,
  target       jsonb not null,
  plan_hash    text,
  reason       text,
  acknowledged text[] not null default '{}',
  outcome      text,
  detail       jsonb,
  request_id   text
);
create index audit_operation on audit (operation_id) where operation_id is not null;

-- One reading of a queue's counts and ages. A null is what could not be read or does not exist there.
create table samples (
  queue         text not null,
  at            timestamptz not null,
  due           integer,
  scheduled     integer,
  retrying      integer,
  leased        integer,
  expired       integer,
  processing    integer,
  dead          integer,
  oldest_due_ms bigint,
  primary key (queue, at)
);
create index samples_at on samples (at);

-- Which keeper does what, leased on the database clock.
create table duties (
  duty       text primary key,
  holder     text not null,
  expires_at timestamptz not null
);
