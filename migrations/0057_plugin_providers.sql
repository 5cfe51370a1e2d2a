-- why: a plugin of the type auth-provider may sign somebody in to an account. Which person of which provider an account belongs to is a
-- fact about the account: it outlives restarts and updates of the plugin, and decides that an account without a link is never signed in to
-- by a provider, whatever that says.

create table account_sign_in_links (
  user_id uuid primary key references users (id) on delete cascade,
  -- Name of the plugin. Not a reference: the links are removed with the plugin, together with the sessions of the accounts.
  provider text not null,
  -- The id of the person at the provider.
  subject text not null,
  created_at timestamptz not null,
  constraint account_sign_in_links_subject_key unique (provider, subject),
  constraint account_sign_in_links_lengths check (length(provider) between 1 and 64 and length(subject) between 1 and 200)
);

alter table refresh_families drop constraint refresh_families_reason_known;
alter table refresh_families add constraint refresh_families_reason_known
  check (revoked_reason in ('logout', 'reuse', 'password_reset', 'account_disabled', 'provider_removed'));

-- Texts that somebody has downloaded for an item, which no scan finds. Not beside the film: the folders of media are only read.
create table downloaded_subtitles (
  id uuid primary key default gen_random_uuid(),
  media_item_id uuid not null references media_items (id) on delete cascade,
  -- Name of the plugin, and its id of the text.
  provider text not null,
  download_id text not null,
  -- BCP 47; `und` if unknown.
  language text not null,
  format text not null,
  title text,
  is_hearing_impaired boolean not null,
  -- As it was received, in UTF-8.
  text bytea not null,
  created_at timestamptz not null,
  -- Whoever downloaded it first: the bytes of an account are limited, and others do not change its language and title.
  added_by uuid references users (id) on delete set null,
  constraint downloaded_subtitles_source_key unique (media_item_id, provider, download_id),
  constraint downloaded_subtitles_format_known check (format in ('srt', 'vtt', 'ass', 'ssa')),
  constraint downloaded_subtitles_size check (length(text) <= 16777216)
);

create index downloaded_subtitles_added_by on downloaded_subtitles (added_by);
