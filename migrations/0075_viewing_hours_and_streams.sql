-- why: a profile may play only at some hours, and accounts and profiles only some streams at a time, with some bandwidth. Streams that are
-- played by limited accounts are stored, so that the processes of one database count together.

create table profile_schedules (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references profiles (id) on delete cascade,
  name text not null,
  -- Minutes after midnight of the clock in the zone. An end at or before the start is one of the next day.
  start_minute smallint not null,
  end_minute smallint not null,
  -- The days on which it begins.
  days text[] not null,
  -- A zone of the IANA database; null: that of the server.
  zone text,
  is_active boolean not null,
  created_at timestamptz not null,
  constraint profile_schedules_name_length check (char_length(name) between 1 and 50),
  constraint profile_schedules_times check (start_minute between 0 and 1439 and end_minute between 0 and 1439),
  constraint profile_schedules_days_known check (days <@ array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
  constraint profile_schedules_zone_length check (char_length(zone) between 1 and 100)
);

create index profile_schedules_profile_id on profile_schedules (profile_id);

-- Of an account, all of its profiles together, or of one profile. No row: no limit.
create table stream_limits (
  id bigint generated always as identity primary key,
  account_id uuid unique references users (id) on delete cascade,
  profile_id uuid unique references profiles (id) on delete cascade,
  max_streams integer,
  max_kbps integer,
  constraint stream_limits_owner check (num_nonnulls(account_id, profile_id) = 1),
  constraint stream_limits_not_empty check (num_nonnulls(max_streams, max_kbps) > 0),
  constraint stream_limits_streams_range check (max_streams between 1 and 100),
  constraint stream_limits_kbps_range check (max_kbps between 100 and 1000000)
);

-- One row for each item that a device of a limited account plays. A row that is not renewed ends.
create table open_streams (
  -- The session or API key of the device.
  device text not null,
  media_item_id uuid not null references media_items (id) on delete cascade,
  account_id uuid not null references users (id) on delete cascade,
  profile_id uuid not null references profiles (id) on delete cascade,
  seen_at timestamptz not null,
  primary key (device, media_item_id)
);

create index open_streams_account_id on open_streams (account_id);
create index open_streams_media_item_id on open_streams (media_item_id);
create index open_streams_profile_id on open_streams (profile_id);
