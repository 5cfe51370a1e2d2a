-- why: what a list remembers holds as long as the version of the catalogue is the same, so no version may ever come twice. Number and
-- highest id of the rows in item_tallies could: when somebody summed them up while somebody else wrote. And some changes left no row.

-- Sums leave at least one row with a new id: as ids never come back, no set of rows does.
create or replace function sum_item_tallies() returns void language plpgsql as $$
begin
  if pg_try_advisory_xact_lock(hashtextextended('phlix:item-tallies', 0)) then
    with gone as (delete from item_tallies returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from gone
    group by library_id, type, is_top_level, kind, label having sum(count) <> 0
    union all select '00000000-0000-0000-0000-000000000000', '', true, 'change', '', 0 where exists (select from gone);
  end if;
end $$;

-- Parts and versions are not counted, but the item that they belong to shows what is inside them.
create or replace function write_item_tallies() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select i.library_id, i.type, i.parent_id is null, l.kind, l.label, count(*)
    from added i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
    where i.role is null group by 1, 2, 3, 4, 5
    union all (select library_id, '', true, 'change', '', 0 from added where role is not null limit 1);
  elsif tg_op = 'DELETE' then
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select i.library_id, i.type, i.parent_id is null, l.kind, l.label, -count(*)
    from gone i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
    where i.role is null group by 1, 2, 3, 4, 5
    union all (select library_id, '', true, 'change', '', 0 from gone where role is not null limit 1);
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

-- Nobody truncates but people with psql, whom lists believe, too.
create function forget_item_tallies() returns trigger language plpgsql as $$
begin
  delete from item_tallies;
  insert into item_tallies (library_id, type, is_top_level, kind, label, count)
  values ('00000000-0000-0000-0000-000000000000', '', true, 'change', '', 0);
  return null;
end $$;

create trigger item_tallies_of_all_removed after truncate on media_items for each statement execute function forget_item_tallies();
create trigger item_sidecars_truncated after truncate on item_sidecars for each statement execute function note_list_change();
create trigger media_streams_truncated after truncate on media_streams for each statement execute function note_list_change();
create trigger music_tracks_truncated after truncate on music_tracks for each statement execute function note_list_change();
create trigger provider_artwork_truncated after truncate on provider_artwork for each statement execute function note_list_change();
create trigger music_covers_truncated after truncate on music_covers for each statement execute function note_list_change();

-- The words of a filter as `item_facets` writes them. One parameter for all of them: a statement for each number of words would be another
-- one to prepare, and of hundreds of words take megabytes.
create function facet_keys(kind text, words text[]) returns text[] language sql immutable parallel safe
  return array(select kind || left(search_fold(word), 200) from unnest(words) as word);
