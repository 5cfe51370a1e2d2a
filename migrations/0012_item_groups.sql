-- why: a catalogue is more than a row per file. Series, seasons and books in many files are rows without a file, found again by a key
-- made of their name; a second version, a part or an extra of something is a row of its own that lists leave out. What lies beside a
-- file (pictures, subtitles) is remembered with the item it belongs to, and what NFO files and tags say is kept apart from what
-- providers say, because clearing the one must not clear the other.

alter table media_items
  add column group_key text,
  add column ending_episode_number integer,
  -- Why lists leave the row out, and what it belongs to; null while its owner is not known.
  add column role text,
  add column primary_id uuid references media_items (id) on delete set null,
  add column role_label text,
  add column role_order integer,
  -- Who named it: the file's name, the file's own tags or NFO, or a provider. The later one in this list wins.
  add column name_source text not null default 'file',
  add column local_metadata jsonb not null default '{}',
  -- SHA-256 over names, sizes and times of the files that tell about it: changed, it is read again.
  add column sidecar_hash bytea,
  add constraint media_items_role_known check (role in ('version', 'part', 'extra')),
  add constraint media_items_primary_has_role check (primary_id is null or role is not null),
  add constraint media_items_not_own_primary check (primary_id <> id),
  add constraint media_items_name_source_known check (name_source in ('file', 'local', 'provider')),
  add constraint media_items_local_metadata_object check (jsonb_typeof(local_metadata) = 'object'),
  add constraint media_items_sidecar_hash check (octet_length(sidecar_hash) = 32),
  add constraint media_items_episode_order check (ending_episode_number >= episode_number),
  add constraint media_items_groups_have_no_file check (group_key is null or path is null);

create unique index media_items_group_key on media_items (library_id, type, group_key) where group_key is not null;
create index media_items_of_primary on media_items (primary_id, role_order) where primary_id is not null;

create table item_sidecars (
  media_item_id uuid not null references media_items (id) on delete cascade,
  path_hash bytea not null,
  library_id uuid not null references libraries (id) on delete cascade,
  folder_hash bytea not null,
  kind text not null,
  path text not null,
  size_bytes bigint not null,
  modified_ns bigint not null,
  -- Of subtitles: language, forced, hearing impaired.
  details jsonb not null default '{}',
  primary key (media_item_id, path_hash),
  constraint item_sidecars_kind_known check (kind in ('poster', 'backdrop', 'logo', 'banner', 'thumb', 'disc', 'subtitle', 'lyrics')),
  constraint item_sidecars_hash check (octet_length(path_hash) = 32 and octet_length(folder_hash) = 32),
  constraint item_sidecars_size_floor check (size_bytes >= 0),
  constraint item_sidecars_details_object check (jsonb_typeof(details) = 'object')
);

-- A folder that has changed writes all of its own anew.
create index item_sidecars_in_folder on item_sidecars (library_id, folder_hash);
