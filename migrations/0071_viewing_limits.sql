-- why: an account can be limited by tags. Beside each item stand those of its tags that some rule names: its own with those of all that it
-- belongs to, and those of the item at the top. Only tags of rules are kept, so that most items have none, and so that counts stay few.

-- The tags that rules name, folded. A rule of tags that is new adds them, and the items that have them are written again.
create table access_tags (tag text primary key);

-- A tag as it is compared: without regard to case, accents and spaces. Null for a text that is none.
create function fold_tag(said text) returns text language plpgsql immutable strict parallel safe as $$
declare
  tag text := trim(regexp_replace(left(said, 1000), '\s+', ' ', 'g'));
begin
  -- ASCII has no accents.
  tag := case when octet_length(tag) = char_length(tag) then lower(tag) else search_fold(tag) end;
  tag := trim(tag);
  return case when char_length(tag) between 1 and 200 then tag end;
end $$;

-- The tags that an item itself states, as its detail shows them: those of the file and of people, else those of a provider. Texts without
-- accents are folded all at once, which is many times faster.
create function item_tags(metadata jsonb, local_metadata jsonb) returns text[] language plpgsql immutable parallel safe as $$
declare
  said jsonb := coalesce(local_metadata -> 'tags', metadata -> 'tags');
  written text := said::text;
begin
  if said is null or jsonb_typeof(said) <> 'array' then return '{}'; end if;
  if octet_length(written) = char_length(written) and written !~ '\\|  |" | "[],]' then
    return array(
      select entry #>> '{}' from jsonb_array_elements(lower(written)::jsonb) entries (entry)
      where jsonb_typeof(entry) = 'string' and entry <> '""');
  end if;
  return array(
    select folded.tag
    from jsonb_array_elements(said) entries (entry) cross join lateral (select fold_tag(entry #>> '{}') as tag) folded
    where jsonb_typeof(entry) = 'string' and folded.tag is not null);
end $$;

alter table media_items
  -- Tags of rules that the item has, or something that it belongs to; null: none.
  add column access_tags text[],
  -- Those of the item at the top; null: none.
  add column access_top_tags text[];

-- Few items have tags of rules. An account that is limited to a rare one finds them here.
create index media_items_access_top_tags on media_items using gin (access_top_tags) where access_top_tags is not null;

create or replace function keep_access_age() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  above record;
  stated text[];
begin
  new.access_age := case when new.metadata ? 'rating' or new.local_metadata ? 'rating'
    then item_stated_age(new.metadata, new.local_metadata) end;
  new.is_unrated := new.access_age is null;
  new.access_tags := null;
  if new.metadata ? 'tags' or new.local_metadata ? 'tags' then
    -- Before the tags of rules are read, so that those that another transaction adds meanwhile are seen.
    perform pg_advisory_xact_lock_shared(hashtextextended('phlix:access-tags', 0));
    if exists (select from access_tags) then
      stated := item_tags(new.metadata, new.local_metadata);
      select array_agg(tag order by tag) into new.access_tags from access_tags where tag = any (stated);
    end if;
  end if;
  new.access_top_tags := new.access_tags;
  if new.parent_id is null and new.primary_id is null then return new; end if;
  for above in
    select access_age, is_unrated, access_tags, access_top_tags from media_items where id in (new.parent_id, new.primary_id)
    order by id = new.parent_id nulls first for share
  loop
    new.access_age := greatest(new.access_age, above.access_age);
    new.is_unrated := above.is_unrated;
    if above.access_tags is not null then
      new.access_tags := array(
        select tag from unnest(new.access_tags || above.access_tags) tags (tag) group by tag order by tag);
    end if;
    new.access_top_tags := above.access_top_tags;
  end loop;
  return new;
end $$;

drop trigger media_items_z_access_age on media_items;
create trigger media_items_z_access_age before update on media_items for each row
  when ((old.access_age, old.is_unrated, old.access_tags, old.access_top_tags, old.parent_id, old.primary_id)
      is distinct from (new.access_age, new.is_unrated, new.access_tags, new.access_top_tags, new.parent_id, new.primary_id)
    or (old.metadata, old.local_metadata) is distinct from (new.metadata, new.local_metadata))
  execute function keep_access_age();

drop trigger media_items_access_age_changed on media_items;
create trigger media_items_access_age_changed after update on media_items for each row
  when ((old.access_age, old.is_unrated, old.access_tags, old.access_top_tags)
    is distinct from (new.access_age, new.is_unrated, new.access_tags, new.access_top_tags))
  execute function pass_on_access_age();

-- Adds tags of a rule, and writes the items that have them. Who has read the tags of rules before is waited for, and who reads them later
-- sees the new ones, so that no item is missed. Tags that a rule has named before need no lock.
create function name_access_tags(wanted text[]) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  fresh text[];
  hints text[];
begin
  if not exists (select from unnest(wanted) w (tag) where not exists (select from access_tags t where t.tag = w.tag)) then return; end if;
  perform pg_advisory_xact_lock(hashtextextended('phlix:access-tags', 0));
  with added as (
    insert into access_tags (tag) select distinct w.tag from unnest(wanted) w (tag) on conflict do nothing returning tag)
  select array_agg(tag) into fresh from added;
  -- Most items are passed over because the longest word of no tag stands in the text of theirs. Texts with accents are always read.
  select array_agg('%' || regexp_replace(word, '[^a-z0-9]+', '%', 'g') || '%') into hints
  from unnest(fresh) f (tag)
  cross join lateral (select word from regexp_split_to_table(f.tag, ' ') words (word) order by char_length(word) desc limit 1) longest;
  -- A value that no row has makes the trigger write the item.
  update media_items i set access_age = -1
  from (
    select m.id from media_items m cross join lateral (select coalesce(m.local_metadata -> 'tags', m.metadata -> 'tags')::text as text) said
    where (m.metadata ? 'tags' or m.local_metadata ? 'tags')
      and (octet_length(said.text) <> char_length(said.text) or lower(said.text) like any (hints))
      and item_tags(m.metadata, m.local_metadata) && fresh) found
  where i.id = found.id;
end $$;

alter table access_tallies
  add column access_tags text[],
  add column access_top_tags text[];

create or replace function sum_item_tallies() returns void language plpgsql set search_path = public, pg_temp as $$
begin
  if pg_try_advisory_xact_lock(hashtextextended('phlix:item-tallies', 0)) then
    with gone as (delete from item_tallies returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from gone
    group by library_id, type, is_top_level, kind, label having sum(count) <> 0
    union all select '00000000-0000-0000-0000-000000000000', '', true, 'change', '', 0 where exists (select from gone);
    with gone as (delete from access_tallies returning *)
    insert into access_tallies (library_id, type, is_top_level, kind, label, access_age, is_unrated, access_tags, access_top_tags, count)
    select library_id, type, is_top_level, kind, label, access_age, is_unrated, access_tags, access_top_tags, sum(count) from gone
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(count) <> 0;
  end if;
end $$;

create or replace function write_item_tallies() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    with counted as (
      insert into access_tallies (library_id, type, is_top_level, kind, label, access_age, is_unrated, access_tags, access_top_tags, count)
      select i.library_id, i.type, i.parent_id is null, l.kind, l.label, i.access_age, i.is_unrated, i.access_tags, i.access_top_tags, count(*)
      from added i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
      where i.role is null group by 1, 2, 3, 4, 5, 6, 7, 8, 9
      returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from counted group by 1, 2, 3, 4, 5
    union all (select library_id, '', true, 'change', '', 0 from added where role is not null limit 1);
  elsif tg_op = 'DELETE' then
    with counted as (
      insert into access_tallies (library_id, type, is_top_level, kind, label, access_age, is_unrated, access_tags, access_top_tags, count)
      select i.library_id, i.type, i.parent_id is null, l.kind, l.label, i.access_age, i.is_unrated, i.access_tags, i.access_top_tags, -count(*)
      from gone i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
      where i.role is null group by 1, 2, 3, 4, 5, 6, 7, 8, 9
      returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from counted group by 1, 2, 3, 4, 5
    union all (select library_id, '', true, 'change', '', 0 from gone where role is not null limit 1);
  else
    if not exists (select from gone o join added n using (id) where o is distinct from n) then
      return null;
    end if;
    with counted as (
      insert into access_tallies (library_id, type, is_top_level, kind, label, access_age, is_unrated, access_tags, access_top_tags, count)
      select i.library_id, i.type, i.parent_id is null, l.kind, l.label, i.access_age, i.is_unrated, i.access_tags, i.access_top_tags, sum(i.sign)
      from (
        select -1 as sign, library_id, type, parent_id, role, path, sort_key, year, facets, metadata, local_metadata,
          access_age, is_unrated, access_tags, access_top_tags from gone
        union all select 1, library_id, type, parent_id, role, path, sort_key, year, facets, metadata, local_metadata,
          access_age, is_unrated, access_tags, access_top_tags from added) i
      cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
      where i.role is null group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(i.sign) <> 0
      returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from counted group by 1, 2, 3, 4, 5 having sum(count) <> 0
    union all select (select library_id from added limit 1), '', true, 'change', '', 0;
  end if;
  if random() < 0.03 then perform sum_item_tallies(); end if;
  return null;
end $$;
