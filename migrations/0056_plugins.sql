-- why: a plugin is a program of a stranger. Its row names the folder with its files and their hashes, what the administrator has granted,
-- and why it was disabled. The row is written last, so that a killed installation leaves the previous state.

create table plugins (
  name text primary key,
  version text not null,
  type text not null,
  -- plugin.json as it was checked at the installation.
  manifest jsonb not null,
  -- Below plugins/NAME in the data directory.
  folder text not null,
  file_hashes jsonb not null,
  archive_sha256 text not null,
  source text not null,
  -- Public key that the archive was checked with; an update is checked with it too.
  author_key text,
  -- manifest, folder, file_hashes, archive_sha256, version and source of the version before the last update.
  previous jsonb,
  settings jsonb not null default '{}',
  is_enabled boolean not null default false,
  -- Why the server disabled it; for people.
  disabled_reason text,
  installed_at timestamptz not null,
  updated_at timestamptz not null,
  constraint plugins_name_form check (name ~ '^phlix-plugin-[a-z0-9]+(-[a-z0-9]+)*$' and length(name) <= 64),
  constraint plugins_archive_sha256_form check (archive_sha256 ~ '^[0-9a-f]{64}$'),
  constraint plugins_reason_of_disabled check (disabled_reason is null or not is_enabled)
);

-- Values that plugins keep between their starts.
create table plugin_values (
  plugin_name text not null references plugins (name) on delete cascade,
  key text not null,
  -- JSON. As text, because jsonb has no NUL and other limits than the protocol.
  value text not null,
  bytes integer not null,
  primary key (plugin_name, key),
  constraint plugin_values_key_length check (length(key) between 1 and 256)
);

-- Events that wait for plugins which asked for durable delivery. A delivered or expired one is deleted.
create table plugin_events (
  id uuid primary key default gen_random_uuid(),
  plugin_name text not null references plugins (name) on delete cascade,
  event text not null,
  payload jsonb not null,
  occurred_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null
);

create index plugin_events_due on plugin_events (plugin_name, next_attempt_at);

-- The id of a removed item is known only in the transaction that removes it, in whichever process that is.
create function note_removals_for_plugins() returns trigger language plpgsql as $$
begin
  insert into plugin_events (plugin_name, event, payload, occurred_at, next_attempt_at)
  select p.name, 'library.item.removed',
    jsonb_build_object('mediaItemId', r.media_item_id, 'libraryId', j.library_id, 'path', i.path, 'type', i.type),
    now(), now()
  from removed r
  join scan_jobs j on j.id = r.scan_job_id
  left join media_items i on i.id = r.media_item_id
  -- A plugin that is being uninstalled is left out: its foreign key would make the scan fail.
  cross join (
    select name from plugins
    where is_enabled and manifest -> 'events' ? 'library.item.removed'
    for key share skip locked
  ) p;
  return null;
end $$;

create trigger scan_removals_for_plugins after insert on scan_removals
referencing new table as removed for each statement execute function note_removals_for_plugins();
