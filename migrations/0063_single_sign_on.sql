-- why: people may sign in at an OpenID provider. Which person of which provider an account belongs to is in the table that sign-in plugins use:
-- the name of an OpenID provider is its issuer, an address, and its ids of persons have up to 255 characters (OpenID Connect Core, 2).
alter table account_sign_in_links drop constraint account_sign_in_links_lengths;
alter table account_sign_in_links add constraint account_sign_in_links_lengths
  check (length(provider) between 1 and 500 and length(subject) between 1 and 255);

-- A sign-in that a browser has started and the provider has not answered yet. Each row is used once.
create table oidc_requests (
  -- SHA-256 of the parameter `state`.
  state_digest bytea primary key,
  -- SHA-256 of the cookie of the browser that started it.
  browser_digest bytea not null,
  issuer text not null,
  -- Where the browser goes afterwards.
  client text not null,
  -- S256 of a secret of the client, which alone can use the one-time code.
  challenge text not null,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null,
  constraint oidc_requests_client_known check (client in ('web', 'app'))
);

create index oidc_requests_expires_at on oidc_requests (expires_at);

-- A person whom the provider has authenticated, until the client exchanges the one-time code for tokens or a link.
create table oidc_codes (
  -- SHA-256 of the code.
  code_digest bytea primary key,
  issuer text not null,
  subject text not null,
  -- The claim `sid`.
  provider_session text,
  id_token text,
  username text,
  email text,
  -- Null if the groups of the provider do not decide it.
  is_administrator boolean,
  challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index oidc_codes_expires_at on oidc_codes (expires_at);

-- Sessions that began with a sign-in at the provider, which can end them.
create table oidc_sessions (
  session_id uuid primary key references refresh_families (id) on delete cascade,
  account_id uuid not null references users (id) on delete cascade,
  issuer text not null,
  subject text not null,
  provider_session text,
  -- Shown to the provider when the person signs out.
  id_token text
);

create index oidc_sessions_subject on oidc_sessions (issuer, subject);
create index oidc_sessions_provider_session on oidc_sessions (issuer, provider_session);
create index oidc_sessions_account_id on oidc_sessions (account_id);

-- Logout tokens of the provider that were used. Each is accepted once.
create table oidc_logout_tokens (
  jti_digest bytea primary key,
  expires_at timestamptz not null
);

create index oidc_logout_tokens_expires_at on oidc_logout_tokens (expires_at);
