-- why: a page of a list was put together anew for everybody who looked at it, though nothing had changed, because only its order was
-- known to be covered by the rows that every change leaves in item_tallies. Now whatever a list shows is: every column of an item, and
-- where its pictures come from. So whoever has seen that nothing has changed may show again what he has.

-- A row that only says that something has changed. Of no library: nobody counts it.
create function note_list_change() returns trigger language plpgsql as $$
begin
  insert into item_tallies (library_id, type, is_top_level, kind, label, count)
  values ('00000000-0000-0000-0000-000000000000', '', true, 'change', '', 0);
  if random() < 0.03 then perform sum_item_tallies(); end if;
  return null;
end $$;

create or replace function write_item_tallies() returns trigger language plpgsql as $$
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
    if not exists (select from gone o join added n using (id) where o is distinct from n) then
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

-- What goes with an item that is removed (the depth is that of the foreign key's own trigger) is told by the item.
create trigger item_sidecars_show_in_lists after insert or update or delete on item_sidecars
  for each statement when (pg_trigger_depth() = 0) execute function note_list_change();
create trigger media_streams_show_in_lists after insert or update or delete on media_streams
  for each statement when (pg_trigger_depth() = 0) execute function note_list_change();
create trigger music_tracks_show_in_lists after insert or update or delete on music_tracks
  for each statement when (pg_trigger_depth() = 0) execute function note_list_change();
create trigger provider_artwork_shows_in_lists after insert or update of url or delete on provider_artwork
  for each statement when (pg_trigger_depth() = 0) execute function note_list_change();
-- These go with their folder, which shows nowhere itself.
create trigger music_covers_show_in_lists after insert or update or delete on music_covers
  for each statement execute function note_list_change();
