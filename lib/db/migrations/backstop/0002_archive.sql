-- Every dead letter of every queue, once, kept after requeue and trimming. What a queue's own store says wins: the
-- archive follows it, and holds nothing that may not be shown (payloads and errors are masked, session tokens hashed).

-- Letters that died of one cause, as far as their errors tell.
create table error_groups (
  group_id       bigint generated always as identity primary key,
  queue          text not null,
  kind           text not null,
  -- Of the rules that made the fingerprint: fingerprints of two versions are never compared.
  version        integer not null,
  -- SHA-256 of the normalised error.
  fingerprint    bytea not null,
  -- The normalised error in words, placeholders in ‹ ›.
  title          text not null,
  first_seen_at  timestamptz not null,
  last_seen_at   timestamptz not null,
  -- When a letter last died of it after all before had been settled or resolved; null: never.
  regressed_at   timestamptz,
  unique (queue, kind, version, fingerprint)
);
create index error_groups_last_seen on error_groups (last_seen_at);

create table dead_letters (
  queue            text not null,
  letter_id        text not null,
  -- A queue whose work keeps its id through a requeue dies again under the same id: the next generation.
  generation       integer not null default 1,
  -- By the store's clock, as the store says.
  died_at          timestamptz not null,
  job_id           text,
  kind             text not null,
  subject_id       text,
  subject_name     text,
  -- What the queue declares of its letters: realm, zone, impact, source.
  labels           jsonb not null default '{}',
  attempts         integer not null,
  error            text not null,
  error_bytes      integer not null,
  -- Masked source text; null: it is not JSON, or too large to show.
  payload          text,
  payload_bytes    integer not null,
  -- SHA-256 of the stored bytes.
  payload_hash     bytea not null,
  -- Keyed hash of the session token in the payload; null: it has none.
  token_hash       bytea,
  group_id         bigint not null references error_groups,
  state            text not null check (state in ('open', 'resolved', 'awaiting', 'recovered', 'superseded', 'died_again',
                     'requeued_elsewhere', 'left_elsewhere', 'left_unproved')),
  -- Since when, as far as it is known.
  state_at         timestamptz not null,
  requeued_at      timestamptz,
  requeued_job_id  text,
  -- The letter whose requeue made the job that died, and the letter that its own requeue ended in.
  requeued_from    text,
  next_letter_id   text,
  resolved_at      timestamptz,
  resolved_by      uuid references users,
  resolved_reason  text,
  archived_at      timestamptz not null default clock_timestamp(),
  primary key (queue, letter_id, generation, died_at)
) partition by range (died_at);
-- What no month holds: absurd years and infinity.
create table dead_letters_rest partition of dead_letters default;

create index dead_letters_died on dead_letters (died_at, letter_id);
create index dead_letters_state on dead_letters (state, died_at, letter_id);
create index dead_letters_group on dead_letters (group_id, died_at, letter_id);
create index dead_letters_subject on dead_letters (subject_id, died_at, letter_id);
create index dead_letters_name on dead_letters (lower(subject_name), died_at, letter_id) where subject_name is not null;
create index dead_letters_job on dead_letters (job_id);
create index dead_letters_requeued_from on dead_letters (requeued_from) where requeued_from is not null;
create index dead_letters_token on dead_letters (token_hash) where token_hash is not null;
create index dead_letters_words on dead_letters using gin (to_tsvector('simple', left(error, 1024)));
-- Whose state may still change. They are gone through in turn by id: a note of each look would be a write of each row.
create index dead_letters_unsettled on dead_letters (queue, letter_id)
  where state in ('open', 'resolved', 'awaiting', 'requeued_elsewhere');
create index dead_letters_awaiting on dead_letters (queue, letter_id) where state = 'awaiting';
-- Whether a group has a letter that nobody is done with.
create index dead_letters_group_unsettled on dead_letters (group_id)
  where state in ('open', 'awaiting', 'requeued_elsewhere');

-- How far each queue has been read.
create table archive_cursors (
  queue         text primary key,
  -- In the order of death. It trails the newest: letters are seen when they are committed, not when they died.
  died_at       timestamptz,
  letter_id     text,
  -- When nothing was left to read; null: never yet.
  caught_up_at  timestamptz,
  -- Through the whole history by id, for what came in behind the cursor, and when a round of it last ended.
  walked_to     text,
  walked_at     timestamptz,
  -- Through what may still change, by id.
  followed_to   text
);

-- A month's partition, by its first day. Its owner makes and drops it: the working role may not. Rows of the month that
-- the default partition holds move into it.
create function make_dead_letters_month(month date) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
declare
  begins date := date_trunc('month', month::timestamp)::date;
  name text := 'dead_letters_' || to_char(begins, 'YYYY_MM');
  since timestamptz := (begins::text || ' 00:00:00+00')::timestamptz;
  until timestamptz := ((begins + interval '1 month')::date::text || ' 00:00:00+00')::timestamptz;
begin
  if begins < date '1970-01-01' or begins > date '9999-01-01' then return false; end if;
  if to_regclass('backstop.' || name) is not null then return false; end if;
  lock table only backstop.dead_letters in access exclusive mode;
  if to_regclass('backstop.' || name) is not null then return false; end if;
  execute format('create table backstop.%I (like backstop.dead_letters including defaults including constraints)', name);
  execute format('with moved as (delete from backstop.dead_letters_rest where died_at >= %L and died_at < %L returning *)
    insert into backstop.%I select * from moved', since, until, name);
  execute format('alter table backstop.dead_letters attach partition backstop.%I for values from (%L) to (%L)', name,
    since, until);
  return true;
end $$;

-- Not where a letter of it may still change: nobody is done with that one.
create function drop_dead_letters_month(month date) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
declare
  name text := 'dead_letters_' || to_char(date_trunc('month', month::timestamp)::date, 'YYYY_MM');
  unsettled boolean;
begin
  lock table only backstop.dead_letters in access exclusive mode;
  if to_regclass('backstop.' || name) is null then return false; end if;
  execute format('select exists (select from backstop.%I
    where state in (''open'', ''resolved'', ''awaiting'', ''requeued_elsewhere''))', name) into unsettled;
  if unsettled then return false; end if;
  execute format('drop table backstop.%I', name);
  return true;
end $$;
revoke execute on function make_dead_letters_month(date), drop_dead_letters_month(date) from public;

-- What a person wrote on a group.
create table group_notes (
  note_id     bigint generated always as identity primary key,
  group_id    bigint not null references error_groups,
  body        text not null check (length(body) between 1 and 4000),
  author_id   uuid not null references users,
  author_name text not null,
  at          timestamptz not null default clock_timestamp()
);
create index group_notes_group on group_notes (group_id, at);
