-- why: a catalogue of a million items is browsed by name, time, year, length and rating, filtered by genre, rating, people and
-- companies, and every page says how many there are. What is filtered by is derived by the database itself, so that whoever writes an
-- item need not know; indexes hold exactly what lists show, apart for what stands at the top and what stands below something; and
-- counts are kept as differences that are written with the rows, so that they are exact, cost no lock and are read without the rows.

-- The words under a key: one text, or a list of texts or of objects with a name; whatever else stands there is none. Folded, and at most
-- 200 characters each, since index entries have an end. A scan writes thousands a second: what needs no query is done without one, and
-- ASCII, which has no accents, is only put in lower case.
create function facet_words(mark text, value jsonb) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  word text;
  words text[] := '{}';
begin
  if jsonb_typeof(value) = 'array' then
    for index in 0 .. jsonb_array_length(value) - 1 loop
      words := words || facet_words(mark, case jsonb_typeof(value -> index)
        when 'object' then case jsonb_typeof(value -> index -> 'name') when 'string' then value -> index -> 'name' end
        when 'string' then value -> index end);
    end loop;
  elsif jsonb_typeof(value) = 'string' then
    word := left(trim(value #>> '{}'), 200);
    if word <> '' then
      words := array[mark || case when octet_length(word) = char_length(word) then lower(word) else left(search_fold(word), 200) end];
    end if;
  end if;
  return words;
end $$;

-- What an item is filtered by: g: genre, a: actor, c: company, r: content rating, n: other people. Null for what says none of it, which
-- is most of what a scan of films writes.
create function item_facets(metadata jsonb, local_metadata jsonb) returns text[] language plpgsql immutable parallel safe as $$
declare
  said constant jsonb := metadata || local_metadata;
  words text[] := '{}';
begin
  if said ? 'genres' then words := facet_words('g:', said -> 'genres'); end if;
  if said ? 'actors' then words := words || facet_words('a:', said -> 'actors');
  elsif said ? 'cast' then words := words || facet_words('a:', said -> 'cast'); end if;
  if said ? 'production_companies' then words := words || facet_words('c:', said -> 'production_companies'); end if;
  if said ? 'studio' then words := words || facet_words('c:', said -> 'studio'); end if;
  if said ? 'rating' then words := words || facet_words('r:', said -> 'rating'); end if;
  if said ? 'director' then words := words || facet_words('n:', said -> 'director'); end if;
  if said ? 'artist' then words := words || facet_words('n:', said -> 'artist'); end if;
  if said ? 'authors' then words := words || facet_words('n:', said -> 'authors');
  elsif said ? 'author' then words := words || facet_words('n:', said -> 'author'); end if;
  return nullif(words, '{}');
end $$;

-- How grown-up a content rating is; what nobody has heard of comes last, and an item without has none.
create function content_rating_rank(rating text) returns smallint
  language sql immutable parallel safe
  return case upper(trim(rating))
    when 'G' then 1 when 'TV-Y' then 2 when 'TV-G' then 3 when 'TV-Y7' then 4 when 'PG' then 5 when 'TV-PG' then 6
    when 'PG-13' then 7 when 'TV-14' then 8 when 'R' then 9 when 'TV-MA' then 10 when 'NC-17' then 11 when 'X' then 12
    when 'UNRATED' then 13 when '' then null else case when rating is null then null else 14 end end::smallint;

alter table media_items
  add column facets text[] generated always as (
    case when metadata ?| '{genres,actors,cast,production_companies,studio,rating,director,artist,author,authors}'
        or local_metadata ?| '{genres,actors,cast,production_companies,studio,rating,director,artist,author,authors}'
      then item_facets(metadata, local_metadata) end) stored,
  add column rating_rank smallint generated always as (
    case when jsonb_typeof(coalesce(local_metadata -> 'rating', metadata -> 'rating')) = 'string'
      then content_rating_rank(coalesce(local_metadata ->> 'rating', metadata ->> 'rating')) end) stored,
  -- 0 to 10.
  add column vote_average real generated always as (
    case when jsonb_typeof(coalesce(local_metadata -> 'vote_average', metadata -> 'vote_average')) = 'number'
        and coalesce(local_metadata -> 'vote_average', metadata -> 'vote_average') between '0' and '10'
      then coalesce(local_metadata -> 'vote_average', metadata -> 'vote_average')::real end) stored,
  -- Pages far down a list are read from the index alone, which needs to know which of the rows everybody may see.
  set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- How often a name holds a text is guessed from a sample; a search relies on the guess.
alter table media_items alter column search_name set statistics 500;

drop index media_items_by_name, media_items_by_name_everywhere, media_items_by_added, media_items_by_added_everywhere,
  media_items_by_year, media_items_counted, media_items_children;

create index media_items_children on media_items (parent_id, season_number, episode_number) where parent_id is not null;

create index media_items_top_by_name on media_items (library_id, sort_key, id) include (year) where role is null and parent_id is null;
create index media_items_below_by_name on media_items (library_id, sort_key, id) include (year) where role is null and parent_id is not null;
create index media_items_top_by_added on media_items (library_id, added_at, id) where role is null and parent_id is null;
create index media_items_below_by_added on media_items (library_id, added_at, id) where role is null and parent_id is not null;
create index media_items_top_by_year on media_items (library_id, year, sort_key, id) where role is null and parent_id is null;
create index media_items_below_by_year on media_items (library_id, year, sort_key, id) where role is null and parent_id is not null;
create index media_items_top_by_runtime on media_items (library_id, duration_seconds, id) where role is null and parent_id is null;
create index media_items_below_by_runtime on media_items (library_id, duration_seconds, id) where role is null and parent_id is not null;
create index media_items_by_rating on media_items (library_id, rating_rank, sort_key, id) include (parent_id)
  where role is null and rating_rank is not null;
create index media_items_facets on media_items using gin (facets) where facets is not null;

-- Differences: the counts are their sums. No foreign key: they go to zero with the items of a library.
create table item_tallies (
  id bigint generated always as identity primary key,
  library_id uuid not null,
  type text not null,
  is_top_level boolean not null,
  -- items: all; counted: what a library counts (document 1, item_count); letter, year, genre, rating: by what `label` says.
  kind text not null,
  label text not null,
  count bigint not null,
  constraint item_tallies_kind_known check (kind in ('items', 'counted', 'letter', 'year', 'genre', 'rating', 'change'))
);

create index item_tallies_of_kind on item_tallies (kind, library_id);

-- The group that a name stands in: a letter, or what comes before or after all of them.
create function name_letter(sort_key text) returns text
  language sql immutable parallel safe
  return case when sort_key collate "C" < 'a' then '#' when sort_key collate "C" < '{' then upper(left(sort_key, 1)) else '…' end;

-- Of each genre that an item names one spelling.
create function item_genres(metadata jsonb, local_metadata jsonb) returns text[] language plpgsql immutable parallel safe as $$
declare
  genres constant jsonb := coalesce(local_metadata -> 'genres', metadata -> 'genres');
begin
  if genres is null or jsonb_typeof(genres) <> 'array' then return '{}'; end if;
  if jsonb_array_length(genres) = 1 and jsonb_typeof(genres -> 0) = 'string' and trim(genres ->> 0) <> '' then
    return array[left(trim(genres ->> 0), 200)];
  end if;
  return array(
    select distinct on (search_fold(name)) name
    from (
      select left(trim(entry #>> '{}'), 200) as name from jsonb_array_elements(genres) as entries (entry)
      where jsonb_typeof(entry) = 'string') named
    where name <> '' order by search_fold(name), name);
end $$;

-- The whole of the differences in as few rows as possible. Whoever comes while somebody else does it leaves it to him.
create function sum_item_tallies() returns void language plpgsql as $$
begin
  if pg_try_advisory_xact_lock(hashtextextended('phlix:item-tallies', 0)) then
    with gone as (delete from item_tallies returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from gone
    group by library_id, type, is_top_level, kind, label having sum(count) <> 0;
  end if;
end $$;

-- What one item is counted under.
create function item_labels(
  type text, path text, sort_key text, year integer, facets text[], metadata jsonb, local_metadata jsonb
) returns table (kind text, label text) language sql immutable parallel safe
begin atomic
  select 'items', ''
  union all select 'counted', '' where path is not null or type = 'audiobook'
  union all select 'letter', name_letter(sort_key)
  union all select 'year', year::text where year is not null
  union all select 'genre', unnest(item_genres(metadata, local_metadata)) where facets is not null
  union all select 'rating', left(trim(coalesce(local_metadata ->> 'rating', metadata ->> 'rating')), 200)
    where facets is not null
      and content_rating_rank(coalesce(local_metadata ->> 'rating', metadata ->> 'rating')) is not null;
end;

-- Writes what the rows of one statement add to the counts and take away. Whatever changes what lists show leaves at least one row, so
-- that whoever remembers something about the catalogue sees by the rows here whether it still holds.
create function write_item_tallies() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select i.library_id, i.type, i.parent_id is null, l.kind, l.label, count(*)
    from added i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
    where i.role is null group by 1, 2, 3, 4, 5;
  elsif tg_op = 'DELETE' then
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select i.library_id, i.type, i.parent_id is null, l.kind, l.label, -count(*)
    from gone i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
    where i.role is null group by 1, 2, 3, 4, 5;
  else
    if not exists (
      select from gone o join added n using (id)
      where (o.type, o.parent_id, o.role, o.name, o.sort_key, o.year, o.season_number, o.episode_number, o.duration_seconds, o.path)
        is distinct from (n.type, n.parent_id, n.role, n.name, n.sort_key, n.year, n.season_number, n.episode_number, n.duration_seconds, n.path)
        or (o.metadata, o.local_metadata) is distinct from (n.metadata, n.local_metadata)) then
      return null;
    end if;
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select i.library_id, i.type, i.parent_id is null, l.kind, l.label, sum(i.sign)
    from (
      select -1 as sign, library_id, type, parent_id, role, path, sort_key, year, facets, metadata, local_metadata from gone
      union all select 1, library_id, type, parent_id, role, path, sort_key, year, facets, metadata, local_metadata from added) i
    cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
    where i.role is null group by 1, 2, 3, 4, 5 having sum(i.sign) <> 0
    union all select (select library_id from added limit 1), '', true, 'change', '', 0;
  end if;
  if random() < 0.03 then perform sum_item_tallies(); end if;
  return null;
end $$;

create trigger item_tallies_of_new after insert on media_items
  referencing new table as added for each statement execute function write_item_tallies();
create trigger item_tallies_of_changed after update on media_items
  referencing old table as gone new table as added for each statement execute function write_item_tallies();
create trigger item_tallies_of_removed after delete on media_items
  referencing old table as gone for each statement execute function write_item_tallies();

insert into item_tallies (library_id, type, is_top_level, kind, label, count)
select i.library_id, i.type, i.parent_id is null, l.kind, l.label, count(*)
from media_items i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
where i.role is null group by 1, 2, 3, 4, 5;

-- What clients keep for a user: a group of settings under a name of ours, its content as they send it.
create table user_settings (
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  settings jsonb not null,
  primary key (user_id, name),
  constraint user_settings_name_known check (name in ('server', 'client', 'playback')),
  constraint user_settings_object check (jsonb_typeof(settings) = 'object')
);

-- What a user does not want to be recommended again.
create table dismissed_recommendations (
  user_id uuid not null references users (id) on delete cascade,
  media_item_id uuid not null references media_items (id) on delete cascade,
  dismissed_at timestamptz not null,
  primary key (user_id, media_item_id)
);

create index dismissed_recommendations_item on dismissed_recommendations (media_item_id);
