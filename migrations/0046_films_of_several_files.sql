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
create function sum_parts(item_id uuid) returns void language sql as $$
  with recursive owners as (
    select item_id as id where item_id is not null
    union select o.primary_id from owners join media_items o on o.id = owners.id and o.role = 'part' where o.primary_id is not null),
  below as (
    select owners.id as owner_id, p.id, p.duration_seconds, p.missing_since
    from owners join media_items p on p.primary_id = owners.id and p.role = 'part'
    union select below.owner_id, p.id, p.duration_seconds, p.missing_since
    from below join media_items p on p.primary_id = below.id and p.role = 'part'),
  sums as (
    select owners.id, coalesce(sum(below.duration_seconds) filter (where below.missing_since is null and below.id <> owners.id), 0) as seconds
    from owners left join below on below.owner_id = owners.id group by owners.id)
  update media_items i set parts_seconds = sums.seconds
  from sums where i.id = sums.id and i.path is not null and i.parts_seconds <> sums.seconds
$$;

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

select sum_parts(p.primary_id) from (
  select distinct primary_id from media_items where role = 'part' and type in ('movie', 'video', 'episode')) p;

drop index media_items_top_by_runtime;
drop index media_items_below_by_runtime;
create index media_items_top_by_runtime on media_items (library_id, (duration_seconds + parts_seconds), id)
  where role is null and parent_id is null;
create index media_items_below_by_runtime on media_items (library_id, (duration_seconds + parts_seconds), id)
  where role is null and parent_id is not null;

-- The stream of a film in several files is made of the jobs of its files. They are used, kept and removed together.
alter table transcode_jobs add column film_job_id uuid references transcode_jobs (id) on delete set null;
create index transcode_jobs_of_film on transcode_jobs (film_job_id) where film_job_id is not null;
