-- why: several people use one account, and each wants their own place in a film, favourites and recommendations; children must see less than
-- their parents. A profile is a person of an account. Every account has a main profile whose id is that of the account: what the account has
-- watched belongs to it without being rewritten, and clients that know no profiles keep what they had.

create table profiles (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references users (id) on delete cascade,
  name text not null,
  is_main boolean not null default false,
  is_kids boolean not null default false,
  -- The name of a picture that clients have.
  avatar text,
  -- Null: no PIN.
  pin_hash text,
  -- Whether a change of the profile needs its PIN.
  asks_pin_for_changes boolean not null default false,
  may_download boolean not null default true,
  -- The limits of the profile itself; null: none.
  policy_id integer references access_policies (id),
  -- What applies: the limits of the account and of the profile together. Null: nothing is hidden.
  effective_policy_id integer references access_policies (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint profiles_of_account_key unique (id, account_id),
  constraint profiles_main_has_id_of_account check (is_main = (id = account_id)),
  constraint profiles_main_has_no_limits check (not is_main or (policy_id is null and not is_kids and may_download)),
  constraint profiles_name_length check (char_length(name) between 1 and 50),
  constraint profiles_avatar_length check (char_length(avatar) between 1 and 50),
  constraint profiles_pin_hash_form check (pin_hash like '$argon2id$%')
);

create unique index profiles_name_key on profiles (account_id, lower(name));
create index profiles_policy_id on profiles (policy_id) where policy_id is not null;
create index profiles_effective_policy_id on profiles (effective_policy_id) where effective_policy_id is not null;

insert into profiles (id, account_id, name, is_main, effective_policy_id, created_at, updated_at)
select id, id, username, true, policy_id, created_at, updated_at from users;

create function make_main_profile() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into profiles (id, account_id, name, is_main, effective_policy_id, created_at, updated_at)
  values (new.id, new.id, new.username, true, new.policy_id, new.created_at, new.updated_at);
  return null;
end $$;

create trigger users_main_profile after insert on users for each row execute function make_main_profile();

-- The main profile follows its account. Its name does as long as nobody has given it another one, or the new one to another profile.
create function keep_main_profile() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  update profiles p set effective_policy_id = new.policy_id,
    name = case when p.name = old.username and not exists (
      select from profiles o where o.account_id = new.id and not o.is_main and lower(o.name) = lower(new.username))
      then new.username else p.name end
  where p.id = new.id;
  return null;
end $$;

create trigger users_main_profile_changed after update on users for each row
  when ((old.username, old.policy_id) is distinct from (new.username, new.policy_id)) execute function keep_main_profile();

-- A session is one of a profile. The epoch is counted up when it changes: access tokens name it, so that those of before are refused.
alter table refresh_families
  add column profile_id uuid,
  add column epoch integer not null default 0,
  -- The profile whose PIN was entered in this session, until it is used or too old.
  add column proven_profile_id uuid references profiles (id) on delete set null,
  add column proven_at timestamptz;

update refresh_families set profile_id = user_id;

alter table refresh_families
  alter column profile_id set not null,
  add constraint refresh_families_profile_fkey foreign key (profile_id, user_id) references profiles (id, account_id) on delete cascade;

create index refresh_families_profile_id on refresh_families (profile_id);

-- Who approves a code chooses the profile of the device.
alter table quick_connect_codes
  add column profile_id uuid references profiles (id) on delete cascade;

update quick_connect_codes c set profile_id = f.user_id from refresh_families f where f.id = c.approved_by;

alter table quick_connect_codes
  drop constraint quick_connect_codes_approver,
  add constraint quick_connect_codes_approver check (
    (status = 'approved') = (approved_by is not null) and (status = 'approved') = (profile_id is not null));

create index quick_connect_codes_profile_id on quick_connect_codes (profile_id);

-- The state of watching is that of a profile.
alter table user_items rename column user_id to profile_id;
alter table user_items
  drop constraint user_items_user_id_fkey,
  add constraint user_items_profile_id_fkey foreign key (profile_id) references profiles (id) on delete cascade;

alter table playback_sessions rename column user_id to profile_id;
alter table playback_sessions
  drop constraint playback_sessions_user_id_fkey,
  add constraint playback_sessions_profile_id_fkey foreign key (profile_id) references profiles (id) on delete cascade;
alter index playback_sessions_of_user rename to playback_sessions_of_profile;

-- Held to its session by a foreign key of both columns.
alter table playback_states rename column user_id to profile_id;

alter table playback_records rename column user_id to profile_id;
alter table playback_records
  drop constraint playback_records_user_id_fkey,
  add constraint playback_records_profile_id_fkey foreign key (profile_id) references profiles (id) on delete cascade;
alter index playback_records_of_user rename to playback_records_of_profile;

-- The end of a play is told with the names of its start.
alter table open_plays
  add column profile_id uuid,
  -- Null: the main profile.
  add column profile_name text;
update open_plays set profile_id = user_id;
alter table open_plays alter column profile_id set not null;

alter table audiobook_progress rename column user_id to profile_id;
alter table audiobook_progress
  drop constraint audiobook_progress_user_id_fkey,
  add constraint audiobook_progress_profile_id_fkey foreign key (profile_id) references profiles (id) on delete cascade;

alter table book_progress rename column user_id to profile_id;
alter table book_progress
  drop constraint book_progress_user_id_fkey,
  add constraint book_progress_profile_id_fkey foreign key (profile_id) references profiles (id) on delete cascade;

alter table dismissed_recommendations rename column user_id to profile_id;
alter table dismissed_recommendations
  drop constraint dismissed_recommendations_user_id_fkey,
  add constraint dismissed_recommendations_profile_id_fkey foreign key (profile_id) references profiles (id) on delete cascade;

alter table user_settings rename column user_id to profile_id;
alter table user_settings
  drop constraint user_settings_user_id_fkey,
  add constraint user_settings_profile_id_fkey foreign key (profile_id) references profiles (id) on delete cascade;

-- The same functions as before, with the new name of the column.
alter table play_days rename column user_id to profile_id;

create or replace function count_play() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if (old.profile_id, old.media_item_id, play_day(old.counted_at)) = (new.profile_id, new.media_item_id, play_day(new.counted_at)) then
      update play_days set
        completed_count = completed_count - (old.completed_at is not null)::int + (new.completed_at is not null)::int,
        watched_seconds = watched_seconds - old.reached_ticks / 10000000 + new.reached_ticks / 10000000
      where day = play_day(new.counted_at) and profile_id = new.profile_id and media_item_id = new.media_item_id;
      return null;
    end if;
  end if;
  if tg_op <> 'INSERT' then
    delete from play_days
    where day = play_day(old.counted_at) and profile_id = old.profile_id and media_item_id = old.media_item_id and play_count = 1;
    if not found then
      update play_days set play_count = play_count - 1,
        completed_count = completed_count - (old.completed_at is not null)::int,
        watched_seconds = watched_seconds - old.reached_ticks / 10000000
      where day = play_day(old.counted_at) and profile_id = old.profile_id and media_item_id = old.media_item_id;
    end if;
  end if;
  if tg_op <> 'DELETE' then
    insert into play_days as d (day, profile_id, media_item_id, play_count, completed_count, watched_seconds)
    values (play_day(new.counted_at), new.profile_id, new.media_item_id, 1, (new.completed_at is not null)::int, new.reached_ticks / 10000000)
    on conflict (day, profile_id, media_item_id) do update set
      play_count = d.play_count + 1,
      completed_count = d.completed_count + excluded.completed_count,
      watched_seconds = d.watched_seconds + excluded.watched_seconds;
  end if;
  return null;
end $$;

create or replace function rebuild_play_days() returns bigint language plpgsql as $$
declare
  mended bigint;
begin
  lock table playback_records in share mode;
  with wanted as (
    select play_day(counted_at) as day, profile_id, media_item_id, count(*)::int as play_count, count(completed_at)::int as completed_count,
      sum(reached_ticks / 10000000)::int8 as watched_seconds
    from playback_records group by 1, 2, 3),
  gone as (
    delete from play_days d
    where not exists (
      select from wanted w where w.day = d.day and w.profile_id = d.profile_id and w.media_item_id = d.media_item_id)
    returning 1),
  written as (
    insert into play_days as d (day, profile_id, media_item_id, play_count, completed_count, watched_seconds)
    select day, profile_id, media_item_id, play_count, completed_count, watched_seconds from wanted
    on conflict (day, profile_id, media_item_id) do update set
      play_count = excluded.play_count, completed_count = excluded.completed_count, watched_seconds = excluded.watched_seconds
    where (d.play_count, d.completed_count, d.watched_seconds)
      is distinct from (excluded.play_count, excluded.completed_count, excluded.watched_seconds)
    returning 1)
  select (select count(*) from gone) + (select count(*) from written) into mended;
  return mended;
end $$;
