-- why: typing a password on a television is slow, and a shared television should not see it. A device shows a code, and somebody who is signed
-- in elsewhere enters it. Codes are rows, so that the device and the person may speak to two processes.

create table quick_connect_codes (
  -- Eight letters for people. Alone it opens nothing: the device proves itself with its secret, or with its id and address.
  code text primary key,
  secret_digest bytea not null,
  -- The id and address of the device are no proof: it has shown that it knows the secret, or its address is not known.
  needs_secret boolean not null,
  device_name text not null,
  device_type text not null,
  device_id text,
  address text not null,
  -- The address as limits count it.
  client_key text not null,
  status text not null,
  -- The session of the person who approved. If it ends before the device has its tokens, the approval ends too.
  approved_by uuid references refresh_families (id) on delete cascade,
  poll_seconds integer not null,
  last_polled_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint quick_connect_codes_form check (code ~ '^[BCDFGHJKLMNPQRSTVWXZ]{8}$'),
  constraint quick_connect_codes_digest_size check (octet_length(secret_digest) = 32),
  constraint quick_connect_codes_status_known check (status in ('pending', 'approved', 'denied')),
  constraint quick_connect_codes_approver check ((status = 'approved') = (approved_by is not null)),
  constraint quick_connect_codes_lifetime check (expires_at > created_at)
);

create index quick_connect_codes_client_key on quick_connect_codes (client_key);
create index quick_connect_codes_approved_by on quick_connect_codes (approved_by);
create index quick_connect_codes_expires_at on quick_connect_codes (expires_at);
