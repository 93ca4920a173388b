-- What the other four kinds of payload are applied to. The foreign keys are what refuses an item that left the catalog;
-- a row of each table belongs to a character.

create table item_catalog (
  item_id  text primary key,
  name     text not null,
  added_at timestamptz not null default clock_timestamp()
);

create table character_appearance (
  character_id uuid primary key references characters (character_id),
  body_type    text not null,
  skin_tone    text not null,
  hair_style   text not null,
  hair_color   text not null,
  eye_color    text not null,
  height_m     numeric not null,
  changed_at   timestamptz not null
);

-- A row is a slot that something is worn in; an empty slot has none.
create table character_equipment (
  character_id uuid not null references characters (character_id),
  slot         text not null,
  item_id      text not null references item_catalog (item_id),
  changed_at   timestamptz not null,
  primary key (character_id, slot)
);
-- Taking an item out of the catalog asks for its wearers.
create index character_equipment_item on character_equipment (item_id);

create table gameplay_state (
  character_id  uuid primary key references characters (character_id),
  level         bigint not null,
  experience    bigint not null,
  -- numeric, as positions are: digit for digit what the payload said.
  health        numeric not null,
  stamina       numeric not null,
  story_chapter bigint not null,
  changed_at    timestamptz not null
);

-- A transfer is agreed first and activated later. Its zones are what was agreed, and keep no zone in the catalog:
-- whether the target is there is asked when the character moves, by the foreign key of its own row.
create table character_transfers (
  transfer_id  uuid primary key,
  character_id uuid not null references characters (character_id),
  from_zone_id text not null,
  to_zone_id   text not null,
  state        text not null default 'pending' check (state in ('pending', 'active', 'cancelled')),
  requested_at timestamptz not null default clock_timestamp(),
  -- When it was activated or cancelled.
  settled_at   timestamptz,
  check ((state = 'pending') = (settled_at is null))
);
create index character_transfers_character on character_transfers (character_id, requested_at);
create index character_transfers_requested on character_transfers (requested_at);
