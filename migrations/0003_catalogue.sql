-- why: media items and their streams. An item is identified by its library and the exact bytes of its path; the path itself may be
-- longer than an index entry, so its SHA-256, made by the program, carries the uniqueness: whatever dies and starts again, a file
-- has one row. Search and name order use a folded copy of the texts (no accents, lower case) which the database keeps by itself.
-- scan_folders remembers what each folder listed, so that an unchanged folder costs one row instead of one look per file.

create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- A body that is parsed now: independent of search_path, hence truly immutable and safe to restore from a backup.
create function search_fold(value text) returns text
  language sql immutable strict parallel safe
  return lower(unaccent('unaccent'::regdictionary, normalize(value, nfc)));

create table media_items (
  id uuid primary key default gen_random_uuid(),
  library_id uuid not null references libraries (id) on delete cascade,
  parent_id uuid references media_items (id) on delete cascade,
  type text not null,
  name text not null,
  sort_title text not null,
  year integer,
  season_number integer,
  episode_number integer,
  episode_title text,
  path text,
  path_hash bytea,
  folder_hash bytea,
  size_bytes bigint,
  modified_ns bigint,
  duration_seconds double precision,
  container text,
  bitrate bigint,
  chapters jsonb not null default '[]',
  metadata jsonb not null default '{}',
  probe_error text,
  canonical_key text,
  -- SHA-256 of the first and last 64 KiB: tells two moved files of one name and size apart when the old paths are gone.
  content_hash bytea,
  missing_since timestamptz,
  added_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  search_name text generated always as (search_fold(name)) stored,
  sort_key text collate "C" generated always as (search_fold(sort_title)) stored,
  constraint media_items_path_key unique (library_id, path_hash),
  constraint media_items_type_known check (
    type in ('movie', 'series', 'season', 'episode', 'audio', 'image', 'track', 'music', 'album', 'artist', 'video', 'book', 'photo', 'audiobook')
  ),
  constraint media_items_path_hashed check (
    (path is null and path_hash is null and folder_hash is null and size_bytes is null and modified_ns is null)
    or (path is not null and octet_length(path_hash) = 32 and octet_length(folder_hash) = 32 and size_bytes is not null and modified_ns is not null)
  ),
  constraint media_items_name_length check (char_length(name) between 1 and 1024 and char_length(sort_title) between 1 and 1024),
  constraint media_items_year_range check (year between 1 and 9999),
  constraint media_items_numbers_floor check (season_number >= 0 and episode_number >= 0),
  constraint media_items_size_floor check (size_bytes >= 0),
  constraint media_items_duration_floor check (duration_seconds >= 0 and duration_seconds < 'infinity'),
  constraint media_items_bitrate_floor check (bitrate >= 0),
  constraint media_items_content_hash check (octet_length(content_hash) = 32),
  constraint media_items_chapters_array check (jsonb_typeof(chapters) = 'array'),
  constraint media_items_metadata_object check (jsonb_typeof(metadata) = 'object'),
  constraint media_items_not_own_parent check (parent_id <> id)
);

create index media_items_by_name on media_items (library_id, sort_key, id);
create index media_items_by_name_everywhere on media_items (sort_key, id);
create index media_items_by_added on media_items (library_id, added_at, id);
create index media_items_by_added_everywhere on media_items (added_at, id);
create index media_items_by_year on media_items (library_id, year, id);
create index media_items_children on media_items (parent_id, season_number, episode_number);
create index media_items_in_folder on media_items (library_id, folder_hash);
create index media_items_canonical on media_items (library_id, canonical_key) where canonical_key is not null;
create index media_items_missing on media_items (library_id) where missing_since is not null;
create index media_items_search on media_items using gin (search_name gin_trgm_ops);

create table media_streams (
  id uuid primary key default gen_random_uuid(),
  media_item_id uuid not null references media_items (id) on delete cascade,
  stream_index integer not null,
  stream_type text not null,
  codec text,
  language text,
  title text,
  bitrate bigint,
  width integer,
  height integer,
  channels integer,
  is_default boolean not null default false,
  -- What probing knows beyond the columns that queries need: profile, level, pixel format, colour, frame rate, dispositions.
  details jsonb not null default '{}',
  constraint media_streams_index_key unique (media_item_id, stream_index),
  constraint media_streams_index_floor check (stream_index >= 0),
  constraint media_streams_type_known check (stream_type in ('video', 'audio', 'subtitle', 'attachment', 'data')),
  constraint media_streams_numbers_floor check (bitrate >= 0 and width >= 0 and height >= 0 and channels >= 0),
  constraint media_streams_details_object check (jsonb_typeof(details) = 'object')
);

create table scan_folders (
  library_id uuid not null references libraries (id) on delete cascade,
  path_hash bytea not null,
  path text not null,
  -- SHA-256 over the sorted names, sizes and modification times of the folder's media files.
  listing_hash bytea not null,
  file_count integer not null,
  -- The scan job that saw the folder last; folders that a finished scan did not see are gone.
  seen_by uuid not null,
  primary key (library_id, path_hash),
  constraint scan_folders_hashes check (octet_length(path_hash) = 32 and octet_length(listing_hash) = 32),
  constraint scan_folders_count_floor check (file_count >= 0)
) with (fillfactor = 80);
