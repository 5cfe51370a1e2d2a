-- why: a film in two files (`cd1`, `cd2`) is one item, and lasts as long as both. How long its own file lasts is still needed where that
-- file is read. Lists sort and show the sum, so it must not cost them a look at other rows: what the parts last is kept in the row of the
-- item, by a trigger, since scans, moves, merges and removals all change parts.

alter table media_items
  -- Seconds of the parts of the item that are there; the item lasts duration_seconds + parts_seconds.
  add column parts_seconds double precision not null default 0,
  add constraint media_items_parts_floor check (parts_seconds >= 0 and parts_seconds < 'infinity');

-- A disc of a film may consist of several files itself: its parts belong to it, and it belongs to the first disc. Rows that are parts of
-- each other, for as long as a scan has written only one of them, end the search. An audiobook in several files has no file of its own; who
-- assembles it says how long it is.
create function sum_parts(item_id uuid) returns void language plpgsql as $$
declare
  owner_ids uuid[];
begin
  with recursive owners as (
    select item_id as id where item_id is not null
    union select o.primary_id from owners join media_items o on o.id = owners.id and o.role = 'part' where o.primary_id is not null)
  select array_agg(id) into owner_ids from owners;
  -- Two transactions that each write a part of one item sum one after the other: the statement after the lock sees what the other wrote.
  perform 1 from media_items where id = any (owner_ids) order by id for no key update;
  with recursive below as (
    select p.primary_id as owner_id, p.id, p.duration_seconds, p.missing_since
    from media_items p where p.primary_id = any (owner_ids) and p.role = 'part'
    union select below.owner_id, p.id, p.duration_seconds, p.missing_since
    from below join media_items p on p.primary_id = below.id and p.role = 'part'),
  sums as (
    select o.id, coalesce(sum(below.duration_seconds) filter (where below.missing_since is null and below.id <> o.id), 0) as seconds
    from unnest(owner_ids) as o (id) left join below on below.owner_id = o.id group by o.id)
  update media_items i set parts_seconds = sums.seconds
  from sums where i.id = sums.id and i.path is not null and i.parts_seconds <> sums.seconds;
end $$;

create function keep_parts_seconds() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.role = 'part' then perform sum_parts(old.primary_id); end if;
  if tg_op = 'DELETE' then return null; end if;
  if new.role = 'part' and (tg_op = 'INSERT' or old.role is distinct from 'part' or old.primary_id is distinct from new.primary_id) then
    perform sum_parts(new.primary_id);
  end if;
  return null;
end $$;

create trigger media_items_parts_added after insert on media_items for each row
  when (new.role = 'part' and new.type in ('movie', 'video', 'episode')) execute function keep_parts_seconds();
create trigger media_items_parts_removed after delete on media_items for each row
  when (old.role = 'part' and old.type in ('movie', 'video', 'episode')) execute function keep_parts_seconds();
create trigger media_items_parts_changed after update on media_items for each row
  when ((old.role = 'part' or new.role = 'part') and new.type in ('movie', 'video', 'episode')
    and (old.role, old.primary_id, old.duration_seconds, old.missing_since is null)
      is distinct from (new.role, new.primary_id, new.duration_seconds, new.missing_since is null))
  execute function keep_parts_seconds();

-- One statement: triggers of statements read whole tables.
with recursive parts as (
  select primary_id as owner_id, id, duration_seconds, missing_since from media_items
  where role = 'part' and primary_id is not null and type in ('movie', 'video', 'episode')
  union select parts.owner_id, p.id, p.duration_seconds, p.missing_since
  from parts join media_items p on p.primary_id = parts.id and p.role = 'part')
update media_items i set parts_seconds = s.seconds
from (select owner_id, sum(duration_seconds) as seconds from parts where missing_since is null and id <> owner_id group by owner_id) s
where i.id = s.owner_id and i.path is not null and i.parts_seconds <> s.seconds;

drop index media_items_top_by_runtime;
drop index media_items_below_by_runtime;
create index media_items_top_by_runtime on media_items (library_id, (duration_seconds + parts_seconds), id)
  where role is null and parent_id is null;
create index media_items_below_by_runtime on media_items (library_id, (duration_seconds + parts_seconds), id)
  where role is null and parent_id is not null;

-- The stream of a film in several files is made of the jobs of its files. They are used, kept and removed together.
alter table transcode_jobs add column film_job_id uuid references transcode_jobs (id) on delete set null;
create index transcode_jobs_of_film on transcode_jobs (film_job_id) where film_job_id is not null;
