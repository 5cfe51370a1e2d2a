-- why: pictures are looked for by the day and the moment they were taken, which names and paths do not tell. A table of their own keeps
-- the rows narrow, so that a day, or the newest pictures of a million, are found in an index without touching the items. Books need
-- no table: what they say about themselves is in local_metadata, and they are listed by name like everything else.

create table photos (
  media_item_id uuid primary key references media_items (id) on delete cascade,
  -- Always that of the item; here only so that the indexes below can begin with it.
  library_id uuid not null,
  -- As shown, after the turn that `orientation` (EXIF's 1 to 8) asks for; null for raw files that tell no size.
  width integer,
  height integer,
  orientation smallint not null,
  -- Unix seconds.
  taken_at bigint not null,
  -- The clock on the wall where it was taken, and how far it stood from UTC; null where only the library's zone tells.
  taken_local timestamp not null,
  offset_minutes smallint,
  -- Albums go by this day.
  local_date date not null generated always as (taken_local::date) stored,
  -- The camera's two times, XMP, the name of the file, or when it was last written.
  time_source text not null,
  -- Under the names of document 1: camera_make, camera_model, lens, aperture, iso, shutter_speed, focal_length, gps_lat, gps_lng, gps_alt.
  exif jsonb not null default '{}',
  -- What the two files of a live photo share.
  content_identifier text,
  -- Where the film of a motion photo begins in the file.
  motion_offset bigint,
  -- Lists leave out the raw file beside a finished picture; a copy of `role is null` of the item.
  is_listed boolean not null,
  constraint photos_size_floor check (width > 0 and height > 0),
  constraint photos_orientation_range check (orientation between 1 and 8),
  constraint photos_offset_range check (offset_minutes between -900 and 900),
  constraint photos_time_source_known check (time_source in ('original', 'digitized', 'xmp', 'name', 'modified')),
  constraint photos_exif_object check (jsonb_typeof(exif) = 'object'),
  constraint photos_motion_offset_floor check (motion_offset > 0)
);

create index photos_by_day on photos (library_id, local_date, taken_at, media_item_id) where is_listed;
create index photos_by_day_everywhere on photos (local_date, taken_at, media_item_id) where is_listed;
create index photos_by_time on photos (library_id, taken_at, media_item_id) where is_listed;
create index photos_by_time_everywhere on photos (taken_at, media_item_id) where is_listed;

-- Which picture is a version of which one follows from the whole folder, and changes without the picture being read again.
create function photos_follow_role() returns trigger language plpgsql as $$
begin
  update photos set is_listed = new.role is null where media_item_id = new.id;
  return null;
end $$;

create trigger photos_follow_role after update of role on media_items
  for each row when (new.type = 'image' and old.role is distinct from new.role) execute function photos_follow_role();
