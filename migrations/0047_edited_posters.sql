-- why: an administrator can show an item by a picture of his own. It belongs to no library folder, which is only read, and to no provider,
-- so that scans, matches, refreshes and clearing leave it alone. A row goes with its item and with every backup, and a command that runs
-- on another machine than the server reaches it too.

create table edited_posters (
  media_item_id uuid primary key references media_items (id) on delete cascade,
  bytes bytea not null,
  -- Part of the address, so that caches notice another picture.
  content_hash bytea not null generated always as (sha256(bytes)) stored,
  created_at timestamptz not null,
  constraint edited_posters_size check (octet_length(bytes) between 1 and 16777216)
);

create trigger edited_posters_show_in_lists after insert or update or delete on edited_posters
  for each statement when (pg_trigger_depth() = 0) execute function note_list_change();
create trigger edited_posters_truncated after truncate on edited_posters for each statement execute function note_list_change();
