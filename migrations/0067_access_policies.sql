-- why: an account can be limited to some libraries and to an age. What a limit asks of an item is kept beside the item, so that a list of a
-- limited account is read like any other: the highest known age of the item and of all that it belongs to, and whether the item at the top
-- of it says none. A policy is a rule that never changes; accounts with equal rules share it, so that what is remembered for it can be
-- shared. Limited accounts read through temporary views of the same names as the tables. Functions of triggers must see the whole tables.

create table access_policies (
  id integer generated always as identity primary key,
  -- SHA-256 of the text of the rule.
  fingerprint bytea not null,
  -- `libraries`: ids, or null for all; `max_age`: or null; `allows_unrated`: whether films and series without a rating pass the age.
  rule jsonb not null,
  constraint access_policies_fingerprint_key unique (fingerprint),
  constraint access_policies_fingerprint_length check (octet_length(fingerprint) = 32),
  constraint access_policies_rule_object check (jsonb_typeof(rule) = 'object')
);

-- Null: not limited. Administrators never are.
alter table users
  add column policy_id integer references access_policies (id),
  add constraint users_administrators_are_not_limited check (not is_admin or policy_id is null);

create index users_policy_id on users (policy_id) where policy_id is not null;

-- The words of the boards and their ages. Digits need no row: they are the age.
create table rating_ages (
  -- ISO 3166-1, or the word COMIC for the ratings of ComicInfo.
  country text not null,
  word text not null,
  age smallint not null,
  primary key (word, country),
  constraint rating_ages_age_range check (age between 0 and 21)
);

insert into rating_ages (country, word, age) values
  ('AU', 'AV15+', 15), ('AU', 'C', 0), ('AU', 'G', 0), ('AU', 'M', 15), ('AU', 'MA', 15), ('AU', 'MA 15+', 15), ('AU', 'MA15+', 15),
  ('AU', 'P', 0), ('AU', 'PG', 8), ('AU', 'R', 18), ('AU', 'R 18+', 18), ('AU', 'R18+', 18), ('AU', 'RC', 18), ('AU', 'X 18+', 18),
  ('AU', 'X18+', 18), ('BR', 'A10', 10), ('BR', 'A12', 12), ('BR', 'A14', 14), ('BR', 'A16', 16), ('BR', 'A18', 18), ('BR', 'L', 0),
  ('CA', '14A', 14), ('CA', '18A', 18), ('CA', 'A', 18), ('CA', 'C', 0), ('CA', 'C8', 8), ('CA', 'G', 0), ('CA', 'PG', 8),
  ('CA', 'R', 18), ('COMIC', 'ADULTS ONLY 18+', 18), ('COMIC', 'EARLY CHILDHOOD', 3), ('COMIC', 'EVERYONE', 0),
  ('COMIC', 'EVERYONE 10+', 10), ('COMIC', 'G', 0), ('COMIC', 'KIDS TO ADULTS', 0), ('COMIC', 'M', 17), ('COMIC', 'MA15+', 15),
  ('COMIC', 'MATURE 17+', 17), ('COMIC', 'PG', 10), ('COMIC', 'R18+', 18), ('COMIC', 'TEEN', 13), ('COMIC', 'X18+', 18), ('DK', 'A', 0),
  ('ES', 'A', 0), ('ES', 'AI', 0), ('ES', 'APTA', 0), ('ES', 'TP', 0), ('ES', 'X', 18), ('FR', 'TOUS PUBLICS', 0), ('FR', 'TP', 0),
  ('FR', 'U', 0), ('GB', '12A', 12), ('GB', 'PG', 8), ('GB', 'R18', 18), ('GB', 'U', 0), ('GB', 'UC', 0), ('IN', 'A', 18),
  ('IN', 'S', 18), ('IN', 'U', 0), ('IN', 'U/A', 12), ('IN', 'U/A 13+', 13), ('IN', 'U/A 16+', 16), ('IN', 'U/A 7+', 7), ('IN', 'UA', 12),
  ('IN', 'UA 13+', 13), ('IN', 'UA 16+', 16), ('IN', 'UA 7+', 7), ('IT', 'T', 0), ('IT', 'VM12', 12), ('IT', 'VM14', 14),
  ('IT', 'VM18', 18), ('IT', 'VM6', 6), ('JP', 'G', 0), ('JP', 'PG-12', 12), ('JP', 'PG12', 12), ('JP', 'R15', 15), ('JP', 'R15+', 15),
  ('JP', 'R18', 18), ('JP', 'R18+', 18), ('KR', 'ALL', 0), ('KR', 'RESTRICTED', 19), ('KR', 'RESTRICTED SCREENING', 19), ('NL', 'AL', 0),
  ('NO', 'A', 0), ('NZ', 'G', 0), ('NZ', 'M', 16), ('NZ', 'PG', 8), ('NZ', 'R', 18), ('NZ', 'R13', 13), ('NZ', 'R15', 15),
  ('NZ', 'R16', 16), ('NZ', 'R18', 18), ('NZ', 'RP13', 13), ('NZ', 'RP16', 16), ('NZ', 'RP18', 18), ('US', 'APPROVED', 10),
  ('US', 'G', 0), ('US', 'NC-17', 18), ('US', 'PASSED', 10), ('US', 'PG', 10), ('US', 'PG-13', 13), ('US', 'R', 17), ('US', 'TV-14', 14),
  ('US', 'TV-G', 0), ('US', 'TV-MA', 17), ('US', 'TV-PG', 10), ('US', 'TV-Y', 0), ('US', 'TV-Y7', 7), ('US', 'TV-Y7-FV', 7),
  ('US', 'X', 18);
-- The age of one word in capital letters, in the system of a country; of a country that does not have the word, or of no country, the
-- highest age that any system gives it. Null for an unknown word.
create function rating_word_age(said text, said_country text) returns smallint language plpgsql stable parallel safe
  set search_path = public, pg_temp as $$
declare
  spelling text;
  found_age smallint;
begin
  if said ~ '^[0-9]{1,2} ?[+]?$' then
    found_age := trim(rtrim(said, '+'))::smallint;
    return case when found_age <= 21 then found_age end;
  end if;
  foreach spelling in array array[said, replace(said, ' ', '-'), translate(said, ' -', '')] loop
    select coalesce(max(age) filter (where country = said_country), max(age)) into found_age from rating_ages where word = spelling;
    if found_age is not null then return found_age; end if;
  end loop;
  return null;
end $$;

-- The age that a content rating stands for: `PG-13`, `Rated R for language`, `FSK 16`, `DE-16`, `de/16`, `SE:11`, `US:R / UK:15`. Of
-- several in one text the highest. Null: unrated.
create function rating_age(said text, said_country text) returns smallint language plpgsql stable parallel safe
  set search_path = public, pg_temp as $$
declare
  entry text;
  parts text[];
  part_age smallint;
  highest smallint;
begin
  foreach entry in array regexp_split_to_array(upper(left(said, 200)), '\s*[,;|]\s*|\s+/\s+') loop
    entry := trim(regexp_replace(regexp_replace(entry, '^\s*RATED[ :]+|\s+FOR\s.*$', '', 'g'), '\s+', ' ', 'g'));
    part_age := rating_word_age(entry, upper(said_country));
    if part_age is null then
      parts := regexp_match(entry, '^([A-Z]{1,20}) ?[-:/ ] ?([0-9]{1,2} ?[+]?)$');
      if parts is null then parts := regexp_match(entry, '^([A-Z]{2,20}) ?[-:/ ] ?(.+)$'); end if;
      if parts is not null then
        part_age := rating_word_age(parts[2], case parts[1]
          when 'USA' then 'US' when 'MPA' then 'US' when 'MPAA' then 'US' when 'UK' then 'GB' when 'BBFC' then 'GB' when 'FSK' then 'DE'
          when 'ACB' then 'AU' when 'KIJKWIJZER' then 'NL' when 'CBFC' then 'IN' when 'EIRIN' then 'JP' when 'KMRB' then 'KR'
          when 'CLASSIND' then 'BR' when 'CNC' then 'FR' when 'ARCOM' then 'FR' when 'CSA' then 'FR' else parts[1] end);
      end if;
    end if;
    highest := greatest(highest, part_age);
  end loop;
  return highest;
end $$;

-- The age that an item itself states.
create function item_stated_age(metadata jsonb, local_metadata jsonb) returns smallint language sql stable parallel safe
  set search_path = public, pg_temp
  return case
    when jsonb_typeof(local_metadata -> 'rating') = 'string'
      then rating_age(local_metadata ->> 'rating', local_metadata ->> 'rating_country')
    when jsonb_typeof(metadata -> 'rating') = 'string' then rating_age(metadata ->> 'rating', metadata ->> 'rating_country') end;

alter table media_items
  -- The highest known age of the item, of all above it and of what it is a part, version or extra of; null: none is known.
  add column access_age smallint,
  -- Whether the item at the top states no known age.
  add column is_unrated boolean not null default true;

-- Children ask their parent, which is read last, and whose row is locked so that it cannot change its age meanwhile without seeing them.
create function keep_access_age() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  above record;
begin
  new.access_age := case when new.metadata ? 'rating' or new.local_metadata ? 'rating'
    then item_stated_age(new.metadata, new.local_metadata) end;
  new.is_unrated := new.access_age is null;
  if new.parent_id is null and new.primary_id is null then return new; end if;
  for above in
    select access_age, is_unrated from media_items where id in (new.parent_id, new.primary_id)
    order by id = new.parent_id nulls first for share
  loop
    new.access_age := greatest(new.access_age, above.access_age);
    new.is_unrated := above.is_unrated;
  end loop;
  return new;
end $$;

-- After the other triggers, which change what it reads: triggers run in the order of their names.
create trigger media_items_z_access_age_of_new before insert on media_items for each row execute function keep_access_age();
create trigger media_items_z_access_age before update on media_items for each row
  when ((old.access_age, old.is_unrated, old.parent_id, old.primary_id) is distinct from (new.access_age, new.is_unrated, new.parent_id, new.primary_id)
    or (old.metadata, old.local_metadata) is distinct from (new.metadata, new.local_metadata))
  execute function keep_access_age();

-- What belongs to the item asks again: a value that no row has makes the trigger above run.
create function pass_on_access_age() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  update media_items set access_age = -1 where id in (
    select id from media_items where parent_id = new.id union select id from media_items where primary_id = new.id);
  return null;
end $$;

create trigger media_items_access_age_changed after update on media_items for each row
  when (old.access_age is distinct from new.access_age or old.is_unrated is distinct from new.is_unrated)
  execute function pass_on_access_age();

-- The rows that are there, level by level.
alter table media_items disable trigger user;

do $$
declare
  changed bigint;
begin
  create temporary table stated_ages on commit drop as
    select id, item_stated_age(metadata, local_metadata) as age from media_items where metadata ? 'rating' or local_metadata ? 'rating';
  create unique index on stated_ages (id);
  analyze stated_ages;
  update media_items i set access_age = s.age, is_unrated = i.parent_id is not null or i.primary_id is not null
  from stated_ages s where s.id = i.id and s.age is not null;
  loop
    update media_items i set access_age = greatest(i.access_age, a.access_age), is_unrated = a.is_unrated
    from media_items a
    where (a.id = i.parent_id or (a.id = i.primary_id and i.parent_id is null))
      and (greatest(i.access_age, a.access_age) is distinct from i.access_age or i.is_unrated <> a.is_unrated);
    get diagnostics changed = row_count;
    exit when changed = 0;
  end loop;
end $$;

alter table media_items enable trigger user;

-- The counts of item_tallies, apart by what a limit asks of the items; read for limited accounts only.
create table access_tallies (
  id bigint generated always as identity primary key,
  library_id uuid not null,
  type text not null,
  is_top_level boolean not null,
  kind text not null,
  label text not null,
  access_age smallint,
  is_unrated boolean not null,
  count bigint not null
);

create index access_tallies_of_kind on access_tallies (kind, library_id);

insert into access_tallies (library_id, type, is_top_level, kind, label, access_age, is_unrated, count)
select i.library_id, i.type, i.parent_id is null, l.kind, l.label, i.access_age, i.is_unrated, count(*)
from media_items i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
where i.role is null group by 1, 2, 3, 4, 5, 6, 7;

create or replace function sum_item_tallies() returns void language plpgsql as $$
begin
  if pg_try_advisory_xact_lock(hashtextextended('phlix:item-tallies', 0)) then
    with gone as (delete from item_tallies returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from gone
    group by library_id, type, is_top_level, kind, label having sum(count) <> 0
    union all select '00000000-0000-0000-0000-000000000000', '', true, 'change', '', 0 where exists (select from gone);
    with gone as (delete from access_tallies returning *)
    insert into access_tallies (library_id, type, is_top_level, kind, label, access_age, is_unrated, count)
    select library_id, type, is_top_level, kind, label, access_age, is_unrated, sum(count) from gone
    group by library_id, type, is_top_level, kind, label, access_age, is_unrated having sum(count) <> 0;
  end if;
end $$;

create or replace function write_item_tallies() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    with counted as (
      insert into access_tallies (library_id, type, is_top_level, kind, label, access_age, is_unrated, count)
      select i.library_id, i.type, i.parent_id is null, l.kind, l.label, i.access_age, i.is_unrated, count(*)
      from added i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
      where i.role is null group by 1, 2, 3, 4, 5, 6, 7
      returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from counted group by 1, 2, 3, 4, 5
    union all (select library_id, '', true, 'change', '', 0 from added where role is not null limit 1);
  elsif tg_op = 'DELETE' then
    with counted as (
      insert into access_tallies (library_id, type, is_top_level, kind, label, access_age, is_unrated, count)
      select i.library_id, i.type, i.parent_id is null, l.kind, l.label, i.access_age, i.is_unrated, -count(*)
      from gone i cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
      where i.role is null group by 1, 2, 3, 4, 5, 6, 7
      returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from counted group by 1, 2, 3, 4, 5
    union all (select library_id, '', true, 'change', '', 0 from gone where role is not null limit 1);
  else
    if not exists (select from gone o join added n using (id) where o is distinct from n) then
      return null;
    end if;
    with counted as (
      insert into access_tallies (library_id, type, is_top_level, kind, label, access_age, is_unrated, count)
      select i.library_id, i.type, i.parent_id is null, l.kind, l.label, i.access_age, i.is_unrated, sum(i.sign)
      from (
        select -1 as sign, library_id, type, parent_id, role, path, sort_key, year, facets, metadata, local_metadata, access_age, is_unrated from gone
        union all select 1, library_id, type, parent_id, role, path, sort_key, year, facets, metadata, local_metadata, access_age, is_unrated from added) i
      cross join lateral item_labels(i.type, i.path, i.sort_key, i.year, i.facets, i.metadata, i.local_metadata) l
      where i.role is null group by 1, 2, 3, 4, 5, 6, 7 having sum(i.sign) <> 0
      returning *)
    insert into item_tallies (library_id, type, is_top_level, kind, label, count)
    select library_id, type, is_top_level, kind, label, sum(count) from counted group by 1, 2, 3, 4, 5 having sum(count) <> 0
    union all select (select library_id from added limit 1), '', true, 'change', '', 0;
  end if;
  if random() < 0.03 then perform sum_item_tallies(); end if;
  return null;
end $$;

create or replace function forget_item_tallies() returns trigger language plpgsql as $$
begin
  delete from access_tallies;
  delete from item_tallies;
  insert into item_tallies (library_id, type, is_top_level, kind, label, count)
  values ('00000000-0000-0000-0000-000000000000', '', true, 'change', '', 0);
  return null;
end $$;

-- A trigger works for everybody: it sees the tables, not the views of the account that has caused it.
alter function count_play() set search_path = public, pg_temp;
alter function forget_all_words() set search_path = public, pg_temp;
alter function forget_item_tallies() set search_path = public, pg_temp;
alter function keep_item_edits() set search_path = public, pg_temp;
alter function keep_merged_item() set search_path = public, pg_temp;
alter function keep_parts_seconds() set search_path = public, pg_temp;
alter function note_changed_words() set search_path = public, pg_temp;
alter function note_list_change() set search_path = public, pg_temp;
alter function note_new_words() set search_path = public, pg_temp;
alter function note_removals_for_plugins() set search_path = public, pg_temp;
alter function photos_follow_role() set search_path = public, pg_temp;
alter function sum_item_tallies() set search_path = public, pg_temp;
alter function sum_parts(uuid) set search_path = public, pg_temp;
alter function write_item_tallies() set search_path = public, pg_temp;
