-- Looks before it locks: a month that stays for a letter that nobody is done with costs no reader of the archive a wait,
-- however often it is asked for. Looked at once more under the lock: a letter may have come meanwhile.
create or replace function drop_dead_letters_month(month date) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '2s' as $$
declare
  name text := 'dead_letters_' || to_char(date_trunc('month', month::timestamp)::date, 'YYYY_MM');
  unsettled boolean;
begin
  for look in 1..2 loop
    if to_regclass('backstop.' || name) is null then return false; end if;
    execute format('select exists (select from backstop.%I
      where state in (''open'', ''resolved'', ''awaiting'', ''requeued_elsewhere''))', name) into unsettled;
    if unsettled then return false; end if;
    if look = 1 then lock table only backstop.dead_letters in access exclusive mode; end if;
  end loop;
  execute format('drop table backstop.%I', name);
  return true;
end $$;
