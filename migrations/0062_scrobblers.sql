-- why: people keep the history of what they heard and watched at Last.fm, ListenBrainz or Trakt. What an account plays is sent there by the
-- outbox, so that an outage of the service loses nothing. A target with an account receives the events of that account only.
alter table delivery_targets
  add column user_id uuid references users (id) on delete cascade,
  drop constraint delivery_targets_kind_known,
  add constraint delivery_targets_kind_known check (kind in ('webhook', 'channel', 'scrobbler')),
  add constraint delivery_targets_scrobbler_has_user check ((kind = 'scrobbler') = (user_id is not null));

create index delivery_targets_user_id on delivery_targets (user_id) where user_id is not null;

create table scrobblers (
  id uuid primary key references delivery_targets (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  service text not null,
  -- The name of the account at the service.
  service_username text not null,
  -- The keys that the service gave out, as it needs them.
  credentials jsonb not null,
  constraint scrobblers_one_of_a_service unique (user_id, service),
  constraint scrobblers_service_known check (service in ('lastfm', 'listenbrainz', 'trakt')),
  constraint scrobblers_username_length check (char_length(service_username) between 1 and 500),
  constraint scrobblers_credentials_object check (jsonb_typeof(credentials) = 'object')
);
