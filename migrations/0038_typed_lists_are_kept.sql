-- why: pages of albums, artists, tracks, photos, books and audiobooks are kept as text until something changes that they show. Titles
-- and provider facts of albums and artists, and the facts of photos, were not covered by the rows that changes leave in item_tallies.

create trigger music_artists_show_in_lists after insert or update or delete on music_artists
  for each statement when (pg_trigger_depth() = 0) execute function note_list_change();
create trigger music_artists_truncated after truncate on music_artists for each statement execute function note_list_change();
create trigger music_albums_show_in_lists after insert or update or delete on music_albums
  for each statement when (pg_trigger_depth() = 0) execute function note_list_change();
create trigger music_albums_truncated after truncate on music_albums for each statement execute function note_list_change();
create trigger photos_show_in_lists after insert or update or delete on photos
  for each statement when (pg_trigger_depth() = 0) execute function note_list_change();
create trigger photos_truncated after truncate on photos for each statement execute function note_list_change();
