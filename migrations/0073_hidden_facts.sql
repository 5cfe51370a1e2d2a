-- why: limits have lost or shown facts. A rating that is not understood in a file hid the known one of a provider; spellings without hyphens
-- were unknown. The start of a session of a limited account deleted old sessions whose positions it could not see. The time of a request
-- told that its hidden title had arrived.

create temporary table stated_before on commit drop as
  select id, item_stated_age(metadata, local_metadata) as age from media_items where metadata ? 'rating' or local_metadata ? 'rating';

-- Spaces and hyphens make no other word: `PG 13`, `PG13`, `NC17`.
create index rating_ages_spelling on rating_ages (translate(word, ' -', ''));

create or replace function rating_word_age(said text, said_country text) returns smallint language plpgsql stable parallel safe
  set search_path = public, pg_temp as $$
declare
  found_age smallint;
begin
  if said ~ '^[0-9]{1,2} ?[+]?$' then
    found_age := trim(rtrim(said, '+'))::smallint;
    return case when found_age <= 21 then found_age end;
  end if;
  select coalesce(max(age) filter (where country = said_country), max(age)) into found_age
  from rating_ages where translate(word, ' -', '') = translate(said, ' -', '');
  return found_age;
end $$;

-- The age that an item itself states: what a person has entered; else the rating of the file if it is understood, else that of the provider.
-- Files do not name a country; its name, with null, says that a person has entered the rating.
create or replace function item_stated_age(metadata jsonb, local_metadata jsonb) returns smallint language sql stable parallel safe
  set search_path = public, pg_temp
  return case
    when local_metadata ? 'rating_country' then rating_age(local_metadata ->> 'rating', null)
    else coalesce(
      case when jsonb_typeof(local_metadata -> 'rating') = 'string' then rating_age(local_metadata ->> 'rating', null) end,
      case when jsonb_typeof(metadata -> 'rating') = 'string' then rating_age(metadata ->> 'rating', metadata ->> 'rating_country') end) end;

create or replace function keep_item_edits() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  said jsonb := coalesce(new.unedited, jsonb_build_object(
    'name', old.name, 'sort_title', old.sort_title, 'year', old.year, 'episode_title', old.episode_title,
    'local_metadata', old.local_metadata));
begin
  if new.name is distinct from old.name then said := said || jsonb_build_object('name', new.name); end if;
  if new.sort_title is distinct from old.sort_title then said := said || jsonb_build_object('sort_title', new.sort_title); end if;
  if new.year is distinct from old.year then said := said || jsonb_build_object('year', new.year); end if;
  if new.episode_title is distinct from old.episode_title then
    said := said || jsonb_build_object('episode_title', new.episode_title);
  end if;
  if new.local_metadata is distinct from old.local_metadata then
    said := said || jsonb_build_object('local_metadata', new.local_metadata);
  end if;
  new.name := coalesce(new.edits ->> 'name', said ->> 'name');
  new.sort_title := coalesce(new.edits ->> 'sort_title', said ->> 'sort_title');
  new.year := coalesce(new.edits ->> 'year', said ->> 'year')::integer;
  new.episode_title := coalesce(new.edits ->> 'episode_title', said ->> 'episode_title');
  new.local_metadata := (said -> 'local_metadata') || coalesce(new.edits -> 'metadata', '{}');
  if new.edits -> 'metadata' ? 'rating' then
    new.local_metadata := new.local_metadata || '{"rating_country": null}';
  end if;
  new.unedited := case when new.edits is not null then said end;
  return new;
end $$;

-- Triggers write what has changed: the country of edited ratings, and the ages of the items and of all below them.
update media_items set access_age = -1 where edits -> 'metadata' ? 'rating';
update media_items i set access_age = -1 from stated_before b
where b.id = i.id and item_stated_age(i.metadata, i.local_metadata) is distinct from b.age;

-- Deletes those of these sessions that have no position. A function with this path sees also those that are hidden from the account.
create function delete_empty_sessions(session_ids uuid[]) returns void language sql set search_path = public, pg_temp
begin atomic
  delete from playback_sessions p where p.id = any (session_ids)
    and not exists (select from playback_states s where s.session_id = p.id);
end;

-- The arrival of a title has a time of its own, which limited accounts do not see.
alter table media_requests add column arrived_at timestamptz;
