-- why: what stands beneath a correction was taken to be written anew only where it differed from what is shown. When it was made to say
-- the same as the correction, what stood there before stayed, and came back once the correction was taken back: the name of a provider
-- whose words had been cleared. Who knows of `unedited` may now write it himself, and what he writes there counts.

create or replace function keep_item_edits() returns trigger language plpgsql as $$
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
  new.unedited := case when new.edits is not null then said end;
  return new;
end $$;
