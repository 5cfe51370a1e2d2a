-- why: lower() alone does not tell that two names differ only in case: `ΚΏΣΤΑΣ` ends in σ and `Κώστας` in ς, `STRASSE` has one letter
-- more than `Straße`. So an artist had two entries and was not found by the other spelling. Names are folded now as Unicode folds
-- them, and artists and albums that are the same thereby become one. And a track may be number 0: what some CDs hide before their first.

-- Unicode's full case folding (CaseFolding.txt) of canonically equivalent texts, by what PostgreSQL has had since before casefold(), which
-- came with 18. Down and up and down again meets what has several small forms (ς and σ, ſ and s); taken apart, accents and the iota below
-- go with their letters. What becomes several letters stands here, since not every locale knows it. The four letters i of Turkish are one.
create or replace function case_fold(value text) returns text
  language sql immutable strict parallel safe
  return normalize(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(
      translate(lower(upper(normalize(lower(normalize(value, nfc)), nfd))), 'ς', 'σ'),
      U&'i\0307', 'i'), 'ß', 'ss'), 'ŉ', 'ʼn'), 'ẚ', 'aʾ'), 'և', 'եւ'),
      'ﬀ', 'ff'), 'ﬁ', 'fi'), 'ﬂ', 'fl'), 'ﬃ', 'ffi'), 'ﬄ', 'ffl'), 'ﬅ', 'st'), 'ﬆ', 'st'),
      'ﬓ', 'մն'), 'ﬔ', 'մե'), 'ﬕ', 'մի'), 'ﬖ', 'վն'), 'ﬗ', 'մխ'),
    nfc);

-- The old keys go first, with their constraints and indexes: rows that are written below must not run into them.
alter table music_albums drop column title_key;
alter table music_artists drop column name_key;

-- Which row goes into which: into that which a provider was asked about last.
create table same_names (gone_id uuid primary key, kept_id uuid not null);

insert into same_names (gone_id, kept_id)
select id, kept_id from (
  select id, first_value(id) over (
    partition by library_id, case_fold(name) order by metadata_refreshed_at desc nulls last, metadata = '{}', id) as kept_id
  from music_artists
) artists where id <> kept_id;

update music_tracks t set artist_id = s.kept_id from same_names s where t.artist_id = s.gone_id;
update music_albums a set artist_id = s.kept_id from same_names s where a.artist_id = s.gone_id;

-- Albums may only be the same now that their artists are.
insert into same_names (gone_id, kept_id)
select id, kept_id from (
  select id, first_value(id) over (
    partition by artist_id, case_fold(title), release_id order by metadata_refreshed_at desc nulls last, metadata = '{}', id) as kept_id
  from music_albums
) albums where id <> kept_id;

update music_tracks t set album_id = s.kept_id from same_names s where t.album_id = s.gone_id;

-- A provider's picture goes over where the kept row has none of its kind; of several the first.
update provider_artwork p
set album_id = case when p.album_id is not null then s.kept_id end, artist_id = case when p.artist_id is not null then s.kept_id end
from (
  select distinct on (s.kept_id, o.kind) o.owner_id, o.kind, s.kept_id
  from same_names s join provider_artwork o on o.owner_id = s.gone_id
  where not exists (select from provider_artwork k where k.owner_id = s.kept_id and k.kind = o.kind)
  order by s.kept_id, o.kind, o.owner_id
) s
where p.owner_id = s.owner_id and p.kind = s.kind;

delete from music_albums a using same_names s where a.id = s.gone_id;
delete from music_artists r using same_names s where r.id = s.gone_id;
drop table same_names;

alter table music_artists
  add column name_key text collate "C" generated always as (case_fold(name)) stored,
  add constraint music_artists_name_key unique (library_id, name_key);
create index music_artists_named on music_artists (name_key);

alter table music_albums
  add column title_key text collate "C" generated always as (case_fold(title)) stored,
  add constraint music_albums_title_key unique nulls not distinct (artist_id, title_key, release_id);
create index music_albums_titled on music_albums (title_key);

alter table music_tracks
  drop constraint music_tracks_numbers_floor,
  add constraint music_tracks_numbers_floor check (disc_number > 0 and track_number >= 0);
