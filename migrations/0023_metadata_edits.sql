-- why: administrators correct what names, tags and providers say about an item, and what they said stands whoever writes the row later;
-- providers are asked about albums and artists too; settings that may change while the server runs stand in the database; and a score
-- that is too small for its column no longer refuses the whole item.

-- What people have said, as `name, sort_title, year, episode_title, metadata`; null: nobody has said anything.
alter table media_items
  add column edits jsonb,
  -- The same columns as they would be without, `local_metadata` among them.
  add column unedited jsonb,
  add constraint media_items_edits_object check (jsonb_typeof(edits) = 'object' and jsonb_typeof(unedited) = 'object'),
  add constraint media_items_edits_paired check ((edits is null) = (unedited is null));

-- Whoever writes an edited row need not know: what he writes differently is kept beneath, and what people said goes on top again.
create function keep_item_edits() returns trigger language plpgsql as $$
declare
  said jsonb := coalesce(old.unedited, jsonb_build_object(
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
  new.unedited := case when new.edits is not null then said end;
  return new;
end $$;

create trigger media_items_edited before update on media_items for each row
  when (old.edits is not null or new.edits is not null) execute function keep_item_edits();

-- A score as small as 5e-324 is a number of JSON and none of `real`; four places are more than anybody counts.
alter table media_items drop column vote_average;
alter table media_items add column vote_average real generated always as (
  case when jsonb_typeof(coalesce(local_metadata -> 'vote_average', metadata -> 'vote_average')) = 'number'
      and coalesce(local_metadata -> 'vote_average', metadata -> 'vote_average') between '0' and '10'
    then round((coalesce(local_metadata -> 'vote_average', metadata -> 'vote_average'))::numeric, 4)::real end) stored;

alter table music_albums
  add column metadata jsonb not null default '{}',
  -- Null: nothing has been asked yet, nobody knew it, or it was cleared.
  add column metadata_refreshed_at timestamptz,
  add constraint music_albums_metadata_object check (jsonb_typeof(metadata) = 'object');

alter table music_artists
  add column metadata jsonb not null default '{}',
  add column metadata_refreshed_at timestamptz,
  add constraint music_artists_metadata_object check (jsonb_typeof(metadata) = 'object');

-- Options that administrators have set while the server runs; flags, environment and file come before them.
create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null,
  constraint settings_name_length check (char_length(name) between 1 and 200)
);
