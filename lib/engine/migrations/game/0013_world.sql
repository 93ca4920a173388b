-- The game state that payloads are applied to.

create table zone_catalog (
  zone_id  text primary key,
  realm_id text not null,
  name     text not null,
  added_at timestamptz not null default clock_timestamp()
);

create table characters (
  character_id uuid primary key,
  realm_id     text not null,
  name         text not null,
  -- Counts the writes to this character, of every kind.
  version      bigint not null default 1,
  zone_id      text not null references zone_catalog (zone_id),
  -- numeric, not double precision: a position is what the payload said, digit for digit.
  position_x   numeric not null,
  position_y   numeric not null,
  position_z   numeric not null,
  changed_at   timestamptz not null default clock_timestamp(),
  unique (character_id, realm_id)
);
create index characters_zone on characters (zone_id);

create table reward_balances (
  character_id uuid primary key references characters (character_id),
  gold         bigint not null,
  changed_at   timestamptz not null
);

create table reward_items (
  character_id uuid not null references characters (character_id),
  item_id      text not null,
  quantity     bigint not null,
  changed_at   timestamptz not null,
  primary key (character_id, item_id)
);

create table reward_ledger (
  ledger_id       bigint generated always as identity primary key,
  idempotency_key text not null,
  character_id    uuid not null,
  realm_id        text not null,
  zone_id         text not null references zone_catalog (zone_id),
  encounter_id    text not null,
  gold            bigint not null,
  item_ids        text[] not null,
  quantities      bigint[] not null,
  granted_at      timestamptz not null,
  foreign key (character_id, realm_id) references characters (character_id, realm_id)
);
create index reward_ledger_zone on reward_ledger (zone_id);
create index reward_ledger_character on reward_ledger (character_id, granted_at);
create index reward_ledger_granted on reward_ledger (granted_at);
