-- What a role does not say. A queue list of null: every queue.
alter table users
  -- Whether an operator may look behind a mask. Admins always may, viewers never.
  add column reveal boolean not null default false,
  add column queues text[],
  add constraint users_queues_some check (cardinality(queues) between 1 and 50),
  -- Who may change rights could take a limit off themselves.
  add constraint users_admins_unlimited check (role <> 'admin' or queues is null);

-- For programs that read the desk's JSON. As sessions: 32 random bytes, of which only the hash is kept.
create table api_tokens (
  token_id     uuid primary key default gen_random_uuid(),
  token_hash   bytea not null unique,
  user_id      uuid not null references users on delete cascade,
  name         text not null check (length(name) between 1 and 80),
  scopes       text[] not null check (scopes <@ array['read', 'mark'] and cardinality(scopes) > 0),
  created_at   timestamptz not null default clock_timestamp(),
  expires_at   timestamptz not null,
  last_used_at timestamptz,
  revoked_at   timestamptz
);
create index api_tokens_user on api_tokens (user_id);

-- What the charts mark, beside requeues and the demo.
create index audit_marks on audit (at) where action = 'mark' and phase = 'outcome';
