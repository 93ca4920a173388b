import { VARIANTS, valuesOf } from "./cause";

export const SCHEMA = "grouping";

const each = (row: (values: ReturnType<typeof valuesOf>) => string) =>
  Array.from({ length: VARIANTS }, (_, n) => row(valuesOf(n))).join(", ");
/** A value in a statement. */
export const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** Tables of a game, with all that can be violated in them, and a row for each variant. */
export const SETUP = `
create schema ${SCHEMA};
set search_path = ${SCHEMA};
create type mood as enum ('calm', 'angry');
create domain positive as int check (value > 0);
create table zone_catalog (zone_id text primary key);
create table characters (
  character_id uuid primary key,
  name varchar(12) not null constraint characters_name_key unique,
  level int not null default 1 constraint level_range check (level between 1 and 60),
  gold bigint not null default 0 constraint gold_not_negative check (gold >= 0),
  zone_id text not null default 'start' references zone_catalog,
  rank char(2),
  luck numeric(5, 2),
  born timestamptz,
  power int generated always as (level * 2) stored
);
create table reward_ledger (
  ledger_id uuid primary key,
  character_id uuid not null references characters,
  amount smallint not null constraint amount_is_something check (amount <> 0)
);
create table bookings (during int4range, constraint bookings_do_not_overlap exclude using gist (during with &&));
create table seats (realm_id text, slot int, primary key (realm_id, slot));
create table samples (day date, value int) partition by range (day);
create table secret_vault (id int);
create table gm_notes (id int);
create table guarded (owner text);
alter table guarded enable row level security;
create sequence ticket_numbers;
create view novices as select character_id, name, level from characters where level < 10 with check option;
create function recurse(n int) returns int language plpgsql as $$ begin return recurse(n + 1); end $$;
create function refuse(reason text, a text, b text) returns void language plpgsql as $$
begin
  if reason = 'realm' then raise exception 'character % is not in realm %', a, b; end if;
  if reason = 'quoted' then raise exception 'item "%" cannot be equipped by "%"', a, b using errcode = 'GA001'; end if;
  if reason = 'full' then raise exception 'zone % is full', a using detail = format('%s of 16 places are taken', b); end if;
  if reason = 'version' then raise exception 'version % is older than %', a, b using hint = 'Read the character again.'; end if;
  if reason = 'since' then raise exception 'realm is closed since %', a; end if;
  if reason = 'assert' then assert false, format('balance of %s is %s', a, b); end if;
end $$;
revoke execute on function refuse from public;
grant usage on schema ${SCHEMA} to engine;
grant insert, select on guarded to engine;
create schema vault;
create table vault.gems (id int);
insert into zone_catalog values ('start');
insert into characters (character_id, name) values ${each(({ id, name }) => `('${id}', ${text(name)})`)};
insert into reward_ledger values ${each(({ id, otherId }) => `('${otherId}', '${id}', 1)`)};
insert into bookings values ('[1, 200000)');
insert into seats values ${each(({ zone, number }) => `(${text(zone)}, ${number})`)};
`;
