-- why: programs of a user need access without a password and without sessions that expire. A key has scopes, and can be revoked alone. Keys are
-- random, so that a digest without salt and cost is enough to find and to protect them.

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  -- SHA-256 of the key.
  digest bytea not null unique,
  -- The first characters, by which its owner recognises it.
  hint text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  last_address text,
  constraint api_keys_name_length check (char_length(name) between 1 and 100),
  constraint api_keys_digest_size check (octet_length(digest) = 32),
  constraint api_keys_scopes_known check (
    cardinality(scopes) > 0 and scopes <@ array['read', 'play', 'libraries', 'admin']),
  constraint api_keys_lifetime check (expires_at > created_at),
  constraint api_keys_address_length check (char_length(last_address) <= 64)
);

create index api_keys_user_id on api_keys (user_id);

-- When the person proved who they are. A session that another one approved inherits the time, so that a stolen session cannot renew it.
alter table refresh_families add column authenticated_at timestamptz;
update refresh_families set authenticated_at = created_at;
alter table refresh_families alter column authenticated_at set not null;
