-- why: limits must hold for those whom they limit. Whether an account may download is decided by an administrator, as its other limits are. A
-- recent sign-in belongs to the profile that signed in. Tags that rules name are found by an index and written to items in parts, before a rule
-- uses them; tags and policies that nobody uses are deleted.

-- What an administrator permits all profiles of an account.
alter table users add column may_download boolean not null default true;

-- Null: nobody has proved in this profile who they are.
alter table refresh_families alter column authenticated_at drop not null;

-- Profiles and accounts are deleted without reading all sessions and jobs.
create index refresh_families_proven_profile_id on refresh_families (proven_profile_id) where proven_profile_id is not null;
create index scan_jobs_requested_by on scan_jobs (requested_by) where requested_by is not null;

alter table access_tags
  -- Whether all items that have the tag carry it.
  add column is_written boolean not null default true,
  -- When a rule last named it.
  add column named_at timestamptz not null default now();
alter table access_tags alter column is_written drop default;

alter table access_policies
  -- When it was last given to somebody.
  add column named_at timestamptz not null default now();

-- The tags of an item, for an index: indexes are made without a search path.
create function stated_tags(metadata jsonb, local_metadata jsonb) returns text[] language plpgsql immutable parallel safe
  set search_path = public, pg_temp as $$
begin
  return item_tags(metadata, local_metadata);
end $$;

create index media_items_stated_tags on media_items using gin (stated_tags(metadata, local_metadata))
  where metadata ? 'tags' or local_metadata ? 'tags';

drop function name_access_tags(text[]);

-- Writes the items of a range of ids that state some tags, and with them what belongs to them.
create function rewrite_tagged_items(wanted text[], low uuid, high uuid) returns void language plpgsql set search_path = public, pg_temp as $$
begin
  -- A value that no row has makes the trigger write the item.
  update media_items set access_age = -1
  where (metadata ? 'tags' or local_metadata ? 'tags') and stated_tags(metadata, local_metadata) && wanted
    and id >= low and (high is null or id < high);
end $$;
