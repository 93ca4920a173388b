-- From where a user has signed in: asked at every try to sign in, of an audit that only grows.
create index audit_sign_in on audit (actor_id, address, at) where action = 'sign_in' and phase = 'outcome';
