-- why: pictures that providers name are fetched when somebody looks at them, so their addresses are kept with what they show: an item,
-- an album or an artist. Pictures beside and inside files need no row: a scan has written down where they are.

create table provider_artwork (
  media_item_id uuid references media_items (id) on delete cascade,
  album_id uuid references music_albums (id) on delete cascade,
  artist_id uuid references music_artists (id) on delete cascade,
  -- What is asked for by one id, whatever it is of.
  owner_id uuid not null generated always as (coalesce(media_item_id, album_id, artist_id)) stored,
  kind text not null,
  url text not null,
  -- SHA-256 of the picture, once it has been fetched.
  content_hash bytea,
  primary key (owner_id, kind),
  constraint provider_artwork_one_owner check (num_nonnulls(media_item_id, album_id, artist_id) = 1),
  constraint provider_artwork_kind_known check (kind in ('poster', 'backdrop', 'logo', 'still', 'profile', 'cover')),
  constraint provider_artwork_url_length check (char_length(url) between 1 and 2048),
  constraint provider_artwork_hash check (octet_length(content_hash) = 32)
);

create index provider_artwork_of_item on provider_artwork (media_item_id);
create index provider_artwork_of_album on provider_artwork (album_id) where album_id is not null;
create index provider_artwork_of_artist on provider_artwork (artist_id) where artist_id is not null;
