-- why: a queue of downloads for everybody must not be filled by one account, and what nobody wants any more is not made. A link is the
-- work of a profile, whose limits its guests have. The bandwidth of an account is shared by its streams.

-- Who waits for a download, or has asked for it. A download that is not finished and that nobody wants is removed.
create table download_askers (
  download_id uuid not null references downloads (id) on delete cascade,
  account_id uuid not null references users (id) on delete cascade,
  primary key (download_id, account_id)
);

create index download_askers_account_id on download_askers (account_id);

alter table downloads
  -- Since when attempts have failed for a reason that may pass; null: the last attempt did not.
  add column failing_since timestamptz,
  -- Whether it was asked for when it was not stored by whom.
  add column asker_is_unknown boolean not null default false;

-- Clients wait for them.
update downloads set asker_is_unknown = true where status in ('waiting', 'running');

alter table shares
  -- The profile that made the link: it ends with the profile, and its guests have the limits of the profile.
  add column profile_id uuid;

update shares set profile_id = user_id;

alter table shares
  alter column profile_id set not null,
  add constraint shares_profile_fkey foreign key (profile_id, user_id) references profiles (id, account_id) on delete cascade;

create index shares_profile_id on shares (profile_id);
create index shares_revoked_at on shares (revoked_at) where revoked_at is not null;

-- What a link that has ended has shown is needed by nobody.
delete from share_items i using shares s where s.id = i.share_id and (s.revoked_at is not null or s.expires_at <= now());

alter table open_streams
  -- The bit rate of what is played; 0: unknown, or nothing was sent yet.
  add column kbps integer not null default 0,
  add constraint open_streams_kbps_floor check (kbps >= 0);

alter table users
  -- Whether the person has chosen the address after the registration. It is not verified, so that it keeps nobody out who signs in with a provider.
  add column has_chosen_email boolean not null default false;

-- As before, but without the items that carry the tags already as they should: a repetition goes on where the first one was interrupted.
create or replace function rewrite_tagged_items(wanted text[], low uuid, high uuid) returns void language plpgsql set search_path = public, pg_temp as $$
begin
  -- A value that no row has makes the trigger write the item.
  update media_items i set access_age = -1
  where (i.metadata ? 'tags' or i.local_metadata ? 'tags') and stated_tags(i.metadata, i.local_metadata) && wanted
    and i.id >= low and (high is null or i.id < high)
    and exists (
      select from unnest(wanted) w (tag)
      where w.tag = any (stated_tags(i.metadata, i.local_metadata))
        and w.tag = any (coalesce(i.access_tags, '{}')) is distinct from exists (select from access_tags a where a.tag = w.tag));
end $$;
