-- Signatures that were used: each (keyid, nonce) once. Rows older than 15 minutes are swept.

create table internal_rpc_nonces (
  key_id  text not null,
  nonce   text not null,
  seen_at timestamptz not null,
  primary key (key_id, nonce)
);
create index internal_rpc_nonces_seen on internal_rpc_nonces (seen_at);
