-- why: passkeys (document 1, Passkeys; decisions 3.4). A credential belongs to one account for good, so its id is the key: the same
-- authenticator's answer cannot be registered a second time, by anybody. Challenges are rows, not memory, so that a ceremony may begin
-- before a restart or in another process and end after it; each is taken with one delete, so that it is good once. seq orders those of
-- one moment.

create table passkeys (
  credential_id bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  device_type text not null,
  aaguid text not null,
  registered_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkeys_credential_id_length check (octet_length(credential_id) between 1 and 1023),
  constraint passkeys_counter_range check (counter between 0 and 4294967295),
  constraint passkeys_device_type_known check (device_type in ('platform', 'cross-platform')),
  constraint passkeys_aaguid_form check (aaguid ~ '^[0-9a-f]{32}$')
);

create index passkeys_user_id on passkeys (user_id);

create table webauthn_challenges (
  challenge bytea primary key,
  seq bigint generated always as identity,
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint webauthn_challenges_length check (octet_length(challenge) = 32),
  constraint webauthn_challenges_purpose_known check (purpose in ('register', 'login')),
  constraint webauthn_challenges_lifetime check (expires_at > created_at)
);

create index webauthn_challenges_newest on webauthn_challenges (user_id, purpose, seq);
create index webauthn_challenges_expires_at on webauthn_challenges (expires_at);
