-- why: the same film or episode can lie in a library twice, in files whose names do not say that they are versions of each other. An
-- administrator says it, and a scan, which goes by names, must not take it back. And people have pictures of their own, which go with
-- their accounts and with every backup: a few kilobytes each, so they are rows.

alter table media_items
  -- The item that this one has been made a version of by hand.
  add column merged_into uuid references media_items (id) on delete set null,
  -- This is the item that was kept. Its file is missing, and a version that is there is listed in its place until the file returns.
  add column merged_until_found boolean not null default false,
  add constraint media_items_not_merged_into_itself check (merged_into <> id),
  add constraint media_items_merged_until_found check (merged_into is not null or not merged_until_found);

create index media_items_merged on media_items (merged_into) where merged_into is not null;

-- Writers of a row need not know: whatever they say of its role, it stays a version of that item, and stands where that one stands. When
-- that item is removed, the row takes its place. An item that waits for its file remembers where it stood.
create function keep_merged_item() returns trigger language plpgsql as $$
declare
  kept record;
begin
  if new.merged_into is not null then
    select parent_id into kept from media_items where id = new.merged_into;
    if found then
      new.role := 'version';
      new.primary_id := new.merged_into;
      if not new.merged_until_found then new.parent_id := kept.parent_id; end if;
      return new;
    end if;
  end if;
  new.merged_into := null;
  new.merged_until_found := false;
  new.role := null;
  new.primary_id := null;
  new.role_label := null;
  new.role_order := null;
  new.owner_folder_hash := null;
  return new;
end $$;

create trigger media_items_merged before update on media_items for each row
  when (new.merged_into is not null or old.merged_into is not null) execute function keep_merged_item();

create table user_avatars (
  user_id uuid primary key references users (id) on delete cascade,
  -- Part of the address, so that nobody finds the picture who was not given it.
  version text not null,
  bytes bytea not null,
  created_at timestamptz not null,
  constraint user_avatars_version_form check (version ~ '^[0-9a-f]{32}$'),
  constraint user_avatars_size check (octet_length(bytes) between 1 and 1048576)
);
