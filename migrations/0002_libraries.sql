-- why: libraries and the folders that they are read from (document 1, Library; decisions 3.5). A root remembers the device and inode
-- that it had at the last good scan: a root that suddenly lies on another device is most likely an empty mount point, and nothing
-- may be removed because of it. Device and inode are 64 bits without sign, hence text.

create table libraries (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  type text not null,
  options jsonb not null default '{}',
  display_order integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint libraries_name_length check (char_length(name) between 1 and 255),
  constraint libraries_type_known check (type in ('movie', 'series', 'music', 'photo', 'book', 'audiobook', 'video')),
  constraint libraries_options_object check (jsonb_typeof(options) = 'object')
);

create index libraries_display_order on libraries (display_order, name, id);

create table library_roots (
  library_id uuid not null references libraries (id) on delete cascade,
  position integer not null,
  path text not null,
  device text,
  inode text,
  primary key (library_id, position),
  constraint library_roots_path_key unique (library_id, path),
  constraint library_roots_position_floor check (position >= 0),
  constraint library_roots_path_absolute check (path like '/_%' and octet_length(path) <= 4096),
  constraint library_roots_identity_whole check ((device is null) = (inode is null))
);
