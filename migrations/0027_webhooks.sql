-- why: other programs are told what happens (document 2, Webhook and Events): webhooks over HTTP, and people through chat and push
-- services. What is to be told is written down, once per target, in the transaction in which it happens, so that neither a crash nor a
-- dead target loses it; the daemon takes it from here. Whoever is told is a target; what a target of one kind needs beyond its name and
-- its events has a table of its own.

create table delivery_targets (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  name text not null,
  events text[] not null,
  is_active boolean not null default true,
  -- Deliveries that were given up, and those that were dropped because too many waited.
  failure_count bigint not null default 0,
  dropped_count bigint not null default 0,
  last_triggered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint delivery_targets_kind_known check (kind in ('webhook', 'channel')),
  constraint delivery_targets_name_length check (char_length(name) between 1 and 128),
  constraint delivery_targets_events_count check (cardinality(events) between 1 and 16)
);

-- Commands name channels by their name.
create unique index delivery_targets_channel_name_key on delivery_targets (lower(name)) where kind = 'channel';

create table webhooks (
  id uuid primary key references delivery_targets (id) on delete cascade,
  url text not null,
  secret text not null,
  constraint webhooks_url_length check (char_length(url) between 1 and 2048),
  constraint webhooks_secret_length check (char_length(secret) between 1 and 1024)
);

create table notification_channels (
  id uuid primary key references delivery_targets (id) on delete cascade,
  service text not null,
  -- Addresses, keys and names, as the service needs them.
  settings jsonb not null,
  constraint notification_channels_service_known check (
    service in ('discord', 'slack', 'telegram', 'ntfy', 'pushover', 'apprise', 'mqtt')
  ),
  constraint notification_channels_settings_object check (jsonb_typeof(settings) = 'object')
);

create table deliveries (
  id uuid primary key default gen_random_uuid(),
  -- The order in which things happened, also within one moment.
  position bigint generated always as identity,
  target_id uuid not null references delivery_targets (id) on delete cascade,
  -- What happened; the same for every attempt.
  facts jsonb not null,
  event text not null generated always as (facts ->> 'event') stored,
  occurred_at timestamptz not null,
  status text not null default 'pending',
  attempts integer not null default 0,
  -- Null: as many as are configured.
  attempts_allowed integer,
  -- Null unless it waits.
  next_attempt_at timestamptz,
  -- Until then it is somebody's: whoever died meanwhile leaves it to the others.
  claimed_until timestamptz,
  attempted_at timestamptz,
  status_code integer,
  response_body text,
  error_message text,
  constraint deliveries_status_known check (status in ('pending', 'success', 'failed')),
  constraint deliveries_waits_with_time check ((status = 'pending') = (next_attempt_at is not null)),
  constraint deliveries_attempts_floor check (attempts >= 0 and attempts_allowed > 0),
  constraint deliveries_facts_object check (jsonb_typeof(facts) = 'object')
);

create index deliveries_of_target on deliveries (target_id, position);
create index deliveries_newest on deliveries (position);
create index deliveries_waiting on deliveries (target_id, next_attempt_at, position) where status = 'pending';
create index deliveries_by_age on deliveries (occurred_at);

-- What is playing in a session since when, as it was told when it began: how long it played is known when it ends, which players that
-- go away do not say. Names stand here because the item may be gone by then.
create table open_plays (
  session_id uuid primary key references playback_sessions (id) on delete cascade,
  user_id uuid not null,
  user_name text not null,
  -- No foreign key: the end is told although the item is gone.
  media_item_id uuid not null,
  media_type text not null,
  title text not null,
  device_id text,
  device_name text,
  started_at timestamptz not null,
  reported_at timestamptz not null,
  -- Until the last report, without pauses.
  played_ms bigint not null default 0,
  is_playing boolean not null,
  has_reached_end boolean not null,
  constraint open_plays_played_floor check (played_ms >= 0)
);

create index open_plays_reported on open_plays (reported_at);

-- The first items that a job removes, with their names, until the job has ended and says so.
create table scan_removals (
  scan_job_id uuid not null references scan_jobs (id) on delete cascade,
  media_item_id uuid not null,
  title text not null,
  primary key (scan_job_id, media_item_id)
);

-- What a job has changed is asked by time, seldom, and of the newest rows. This index costs updates next to nothing.
create index media_items_changed on media_items using brin (updated_at) with (autosummarize = on);
