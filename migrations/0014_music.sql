-- why: music is browsed by artist and album (document 1, Music), which tags name and files do not. An artist is a name within its
-- library, an album a title of an artist, told apart by its MusicBrainz release where that is tagged; neither upper nor lower case
-- makes another one. Both live as long as they have tracks. A track is a row beside its media item, so that counts and pages of an
-- album or artist are read from one narrow index.

-- How names are compared: exactly, but for case and for the two ways to write an accent.
create function case_fold(value text) returns text
  language sql immutable strict parallel safe
  return lower(normalize(value, nfc));

create table music_artists (
  id uuid primary key default gen_random_uuid(),
  library_id uuid not null references libraries (id) on delete cascade,
  name text not null,
  sort_name text not null,
  name_key text collate "C" generated always as (case_fold(name)) stored,
  sort_key text collate "C" generated always as (search_fold(sort_name)) stored,
  constraint music_artists_name_key unique (library_id, name_key),
  constraint music_artists_name_length check (char_length(name) between 1 and 500 and char_length(sort_name) between 1 and 500)
);

-- One artist may be in several libraries.
create index music_artists_named on music_artists (name_key);
create index music_artists_by_name on music_artists (sort_key, id);

create table music_albums (
  id uuid primary key default gen_random_uuid(),
  -- Of the album, not of its tracks: `Various Artists` for compilations.
  artist_id uuid not null references music_artists (id) on delete cascade,
  title text not null,
  sort_title text not null,
  -- MusicBrainz' number of the release.
  release_id uuid,
  title_key text collate "C" generated always as (case_fold(title)) stored,
  sort_key text collate "C" generated always as (search_fold(sort_title)) stored,
  constraint music_albums_title_key unique nulls not distinct (artist_id, title_key, release_id),
  constraint music_albums_title_length check (char_length(title) between 1 and 500 and char_length(sort_title) between 1 and 500)
);

create index music_albums_titled on music_albums (title_key);
create index music_albums_by_title on music_albums (sort_key, id);

create table music_tracks (
  media_item_id uuid primary key references media_items (id) on delete cascade,
  -- The album's artist, and of a track without album its own; null when nothing names one.
  artist_id uuid references music_artists (id) on delete cascade,
  album_id uuid references music_albums (id) on delete cascade,
  -- Who plays, as tagged.
  artist text,
  disc_number integer,
  track_number integer,
  year integer,
  -- Its folder holds one disc of several, and the cover may lie in the one above.
  is_in_disc_folder boolean not null,
  -- SHA-256 of the picture in the file.
  picture_hash bytea,
  constraint music_tracks_album_has_artist check (album_id is null or artist_id is not null),
  constraint music_tracks_numbers_floor check (disc_number > 0 and track_number > 0),
  constraint music_tracks_picture_hash check (octet_length(picture_hash) = 32)
);

create index music_tracks_of_album on music_tracks (album_id, disc_number, track_number, media_item_id);
create index music_tracks_of_artist on music_tracks (artist_id, album_id);

-- The cover file of a folder, one row however many tracks lie in it. It goes with the folder.
create table music_covers (
  library_id uuid not null,
  folder_hash bytea not null,
  path text not null,
  size_bytes bigint not null,
  modified_ns bigint not null,
  primary key (library_id, folder_hash),
  foreign key (library_id, folder_hash) references scan_folders (library_id, path_hash) on delete cascade,
  constraint music_covers_size_floor check (size_bytes >= 0)
);
