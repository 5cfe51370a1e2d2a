-- why: every EPUB was said to have a cover, also those without one, whose address then answered 404. A scan now writes down whether there
-- is a picture in a book, as it does for sound files. Books that are known already keep the address that they had until the next scan,
-- which reads all of them again. And songs of one folder whose album names no artist are one album.

insert into media_streams (media_item_id, stream_index, stream_type)
select id, 0, 'attachment' from media_items
where type = 'book' and path ~* '\.(epub|cbz)$' and probe_error is null
on conflict do nothing;

-- No hash that a scan comes to.
update media_items set sidecar_hash = decode(repeat('00', 32), 'hex') where type = 'book' and path is not null;

update scan_folders f set listing_hash = decode(repeat('00', 32), 'hex')
where exists (
  select from media_items i where i.library_id = f.library_id and i.folder_hash = f.path_hash and i.type = 'book');

-- Songs whose album names no artist each had an album of who plays. They are put together by their folder now, so it has to be known of
-- which songs the artist of the album is only a guess.
alter table music_tracks add column guessed_artist text;

update music_tracks t set guessed_artist = r.name
from music_artists r, media_items i
where r.id = t.artist_id and i.id = t.media_item_id and t.album_id is not null and t.artist is not null
  and not (i.metadata || i.local_metadata) ? 'album_artist';
