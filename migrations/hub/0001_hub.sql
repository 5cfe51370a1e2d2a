-- why: a hub has its own accounts and knows home servers by their keys. It stores no titles and no passwords of theirs: names of libraries
-- are stored, because their owner chooses with them what is shared.

-- The counters of rate limits, as in the database of a media server.
create table rate_limits (
  surface text not null,
  key text not null,
  hits integer not null,
  window_ends_at timestamptz not null,
  primary key (surface, key),
  constraint rate_limits_hits_positive check (hits > 0),
  constraint rate_limits_key_length check (char_length(key) <= 100)
);

create index rate_limits_window_ends_at on rate_limits (window_ends_at);

create table hub_users (
  id uuid primary key default gen_random_uuid(),
  username text not null,
  email text not null,
  password_hash text not null,
  is_admin boolean not null default false,
  status text not null default 'active',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint hub_users_status check (status in ('active', 'disabled'))
);

create unique index hub_users_username_key on hub_users (lower(username));
create unique index hub_users_email_key on hub_users (lower(email));

-- One sign-in. A refresh token has the number of its step: each use leads to the next one, and the use of an older one ends the session.
create table hub_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references hub_users (id) on delete cascade,
  step integer not null default 1,
  stepped_at timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index hub_sessions_user_id on hub_sessions (user_id);

-- The keys that sign the tokens for servers. A private key is encrypted with a key that is derived from the secret of the processes: a copy
-- of the database alone signs nothing. A retired key is published until the last token that it signed has expired.
create table hub_signing_keys (
  kid text primary key,
  public_x text not null,
  private_box bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);

-- One key signs; two processes that start at the same time agree on it.
create unique index hub_signing_keys_one_active on hub_signing_keys ((true)) where retired_at is null;

create table hub_servers (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references hub_users (id) on delete cascade,
  name text not null,
  version text not null,
  -- The public keys of the server, each as {kid, x}; the first one is the newest.
  public_keys jsonb not null,
  -- Whether the server has proved that it has the private key. Only then may it renew its enrolment.
  is_key_proven boolean not null,
  -- The thumbprint of the key at the pairing: the same server gets the same row when its owner pairs it again.
  key_thumbprint text not null,
  -- Tokens of an older generation are refused.
  generation integer not null default 1,
  -- The time of the newest proof, in Unix seconds: a proof is accepted once.
  last_proof_at bigint not null default 0,
  is_disabled boolean not null default false,
  hostname_candidates jsonb not null default '[]',
  libraries jsonb not null default '[]',
  capabilities jsonb not null default '[]',
  active_sessions integer not null default 0,
  active_transcodes integer not null default 0,
  last_seen_at timestamptz,
  last_address text,
  heartbeat_seconds integer not null default 60,
  created_at timestamptz not null,
  constraint hub_servers_owner_key unique (owner_id, key_thumbprint)
);

-- A pairing in progress. The id of a claim is its secret, so only a digest is kept; the code is short and is read by people.
create table hub_claims (
  id_digest bytea primary key,
  code text not null,
  server_name text not null,
  version text not null,
  public_keys jsonb not null,
  is_key_proven boolean not null,
  key_thumbprint text not null,
  hostname_candidates jsonb not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  claimed_at timestamptz,
  delivered_at timestamptz,
  server_id uuid references hub_servers (id) on delete cascade,
  constraint hub_claims_digest_size check (octet_length(id_digest) = 32)
);

create unique index hub_claims_code_key on hub_claims (code);
create index hub_claims_server_id on hub_claims (server_id);
create index hub_claims_expires_at on hub_claims (expires_at);

-- Access of a user who is not the owner. Without libraries the user sees all of them.
create table hub_shares (
  id uuid primary key default gen_random_uuid(),
  server_id uuid not null references hub_servers (id) on delete cascade,
  user_id uuid not null references hub_users (id) on delete cascade,
  library_ids jsonb,
  created_at timestamptz not null,
  constraint hub_shares_one_for_each_user unique (server_id, user_id)
);

create index hub_shares_user_id on hub_shares (user_id);

create table hub_invites (
  id uuid primary key default gen_random_uuid(),
  code_digest bytea not null unique,
  server_id uuid not null references hub_servers (id) on delete cascade,
  library_ids jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by uuid references hub_users (id) on delete set null,
  constraint hub_invites_digest_size check (octet_length(code_digest) = 32)
);

create index hub_invites_server_id on hub_invites (server_id);

-- The open tunnel of a server, of any process of the hub.
create table hub_tunnels (
  server_id uuid primary key references hub_servers (id) on delete cascade,
  tunnel_id uuid not null,
  process_id text not null,
  process_address text not null,
  remote_address text not null,
  opened_at timestamptz not null,
  alive_at timestamptz not null
);

create index hub_tunnels_process_id on hub_tunnels (process_id);

-- What happened, for administrators and for owners of servers. Users and servers are named, so that the rows outlive them.
create table hub_audit (
  id bigint generated always as identity primary key,
  action text not null,
  actor text not null,
  target text not null,
  user_id uuid,
  server_id uuid,
  address text,
  created_at timestamptz not null
);

create index hub_audit_server_id on hub_audit (server_id, id);
create index hub_audit_user_id on hub_audit (user_id, id);
