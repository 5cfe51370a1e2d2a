-- why: on a fresh server any caller could register the account that becomes administrator. Callers on other machines now need a code,
-- which serve prints. It is kept as it is, because serve and the command line print it again; it is worth nothing once there is an account.

create table setup_codes (
  is_only boolean primary key default true,
  code text not null,
  constraint setup_codes_one check (is_only)
);

-- Codes that let somebody register while registration is by invitation. Only a digest is kept: a reader of the database cannot use them.
create table account_invites (
  id uuid primary key default gen_random_uuid(),
  code_digest bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by uuid references users (id) on delete set null,
  constraint account_invites_digest_size check (octet_length(code_digest) = 32),
  constraint account_invites_lifetime check (expires_at > created_at)
);
