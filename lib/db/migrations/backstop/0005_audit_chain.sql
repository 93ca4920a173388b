-- The audit becomes a chain: what was written cannot be changed, removed, swapped or cut off unseen. What is hashed, and
-- in which order, stands in lib/console/audit/chain.ts; the same is written here once more, for the rows of before.

alter table audit alter column audit_id drop identity;
alter table audit
  -- The operation's id; for rows without one `day:` and the day, by the database's clock.
  add column chain    text,
  -- In its chain, from 1.
  add column place    integer,
  -- The hash of the row before it in its chain; zeros for the first.
  add column previous bytea,
  add column hash     bytea;
create unique index audit_chain on audit (chain, place) where chain is not null;

-- A chain over all chains, one line a row: which row came when. Append-only as the audit is.
create table audit_heads (
  audit_id bigint primary key,
  chain    text not null,
  place    integer not null,
  -- The row's.
  hash     bytea not null,
  -- The head before it; zeros for the first.
  previous bytea not null,
  head     bytea not null
);
create unique index audit_heads_chain on audit_heads (chain, place);

-- What each look at the whole of it found. Append-only too: the next look asks for the head that this one saw.
create table audit_checks (
  check_id bigint generated always as identity primary key,
  at       timestamptz not null default clock_timestamp(),
  rows     bigint not null,
  -- The newest row then, and its head; null: there was none.
  last_id  bigint,
  head     bytea,
  wrong    bigint not null,
  findings jsonb not null
);
create index audit_checks_at on audit_checks (at);

-- Its length in 4 bytes and its bytes; null is the length -1. Gone again below: the programs hash for themselves.
create function chain_part(value text) returns bytea language sql as $$
  select coalesce(int4send(octet_length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8'), int4send(-1)) $$;

-- Rows of before stay as they are. One row, the first of the chain, says how many they are and what they hash to.
do $$
declare
  each record;
  rolled bytea := decode(repeat('00', 32), 'hex');
  zeros constant text := repeat('00', 32);
  iso constant text := 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';
  counted bigint := 0;
  newest bigint := 0;
  moment timestamptz := clock_timestamp();
  named text := 'day:' || to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD');
  told text;
  own bytea;
begin
  for each in select * from backstop.audit order by audit_id loop
    rolled := sha256(chain_part('backstop audit row 0') || chain_part(encode(rolled, 'hex')) || chain_part(each.audit_id::text)
      || chain_part(to_char(each.at at time zone 'UTC', iso)) || chain_part(each.phase) || chain_part(each.action)
      || chain_part(each.actor_id) || chain_part(each.actor_name) || chain_part(each.actor_role) || chain_part(each.address)
      || chain_part(each.operation_id::text) || chain_part(each.target::text) || chain_part(each.plan_hash)
      || chain_part(each.reason) || chain_part(to_jsonb(each.acknowledged)::text) || chain_part(each.outcome)
      || chain_part(each.detail::text) || chain_part(each.request_id));
    counted := counted + 1;
    newest := each.audit_id;
  end loop;
  -- A program of before, still running, cannot write past the chain.
  execute format('alter table backstop.audit add constraint audit_chained check (audit_id <= %s or (chain is not null
    and place is not null and previous is not null and hash is not null))', newest);
  if counted = 0 then return; end if;
  told := jsonb_build_object('rows', counted, 'lastId', newest::text, 'hash', encode(rolled, 'hex'))::text;
  own := sha256(chain_part('backstop audit row 1') || chain_part(named) || chain_part('1') || chain_part((newest + 1)::text)
    || chain_part(zeros) || chain_part(to_char(moment at time zone 'UTC', iso)) || chain_part('outcome')
    || chain_part('audit_checkpoint') || chain_part('system') || chain_part('system') || chain_part('system')
    || chain_part(null) || chain_part(null) || chain_part('{}') || chain_part(null) || chain_part(null)
    || chain_part('[]') || chain_part('done') || chain_part(told) || chain_part(null));
  insert into backstop.audit (audit_id, at, phase, action, actor_id, actor_name, actor_role, target, outcome, detail,
      chain, place, previous, hash)
    values (newest + 1, moment, 'outcome', 'audit_checkpoint', 'system', 'system', 'system', '{}', 'done', told::jsonb,
      named, 1, decode(zeros, 'hex'), own);
  insert into backstop.audit_heads (audit_id, chain, place, hash, previous, head)
    values (newest + 1, named, 1, own, decode(zeros, 'hex'), sha256(chain_part('backstop audit head 1')
      || chain_part((newest + 1)::text) || chain_part(named) || chain_part('1') || chain_part(encode(own, 'hex'))
      || chain_part(zeros)));
end $$;
drop function chain_part(text);

-- The page lists the newest first, by who, by what was done, and by what it was done to: any id that the target names.
create index audit_at on audit (at, audit_id);
create index audit_actor on audit (actor_id, at, audit_id);
create index audit_action on audit (action, at, audit_id);
create index audit_target on audit
  using gin (jsonb_path_query_array(target, 'strict $.** ? (@.type() == "string")') jsonb_path_ops);
