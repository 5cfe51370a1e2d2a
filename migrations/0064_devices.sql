-- why: a user must see which devices are signed in, and end one of them. A session stores what its client says about its device, the address
-- of its last request, and when that was. The last use is written at most once a minute.

alter table refresh_families
  add column device_name text not null default '',
  add column device_type text not null default '',
  -- As the client has sent it; null for clients without one.
  add column device_id text,
  -- SHA-256 of what identifies the device at the next sign-in; null for sessions of the hub.
  add column device_digest bytea,
  add column address text,
  add column last_used_at timestamptz;

update refresh_families f set last_used_at = coalesce(
  (select max(t.issued_at) from refresh_tokens t where t.family_id = f.id), f.created_at);

alter table refresh_families
  alter column last_used_at set not null,
  alter column device_name drop default,
  alter column device_type drop default,
  add constraint refresh_families_device_length check (
    char_length(device_name) <= 100 and char_length(device_type) <= 50 and char_length(device_id) <= 255),
  add constraint refresh_families_device_digest_size check (octet_length(device_digest) = 32),
  -- An address and port are at most 64 characters.
  add constraint refresh_families_address_length check (char_length(address) <= 64);

-- The address of a revoked session does not count as known: the session may have been a stranger's.
alter table refresh_families drop constraint refresh_families_reason_known;
alter table refresh_families add constraint refresh_families_reason_known
  check (revoked_reason in ('logout', 'reuse', 'password_reset', 'account_disabled', 'provider_removed', 'revoked'));

-- The devices from which an account has signed in; they outlive the sessions, so that a sign-in from a new device can be reported. Those that
-- were signed out by the list stay as forgotten: the next device is new then, and not the first one of the account.
create table known_devices (
  user_id uuid not null references users (id) on delete cascade,
  device_digest bytea not null,
  last_sign_in_at timestamptz not null,
  is_forgotten boolean not null default false,
  primary key (user_id, device_digest),
  constraint known_devices_digest_size check (octet_length(device_digest) = 32)
);
