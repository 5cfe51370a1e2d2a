-- why: administrators look at what was played, day by day, by whom and what, and at how much room libraries take (document 2, stats;
-- document 4, 5.3). A play stands in one row of play_days for its day in UTC, its user and its item. The rows are kept by the
-- statements that write plays, so that they are exact at any moment, and go with the plays that they count: of a deleted account,
-- item, library or history nothing is left. rebuild_play_days makes the same rows anew. And: rules of smart playlists ask every item
-- of a library what it says. Taking its metadata apart takes most of the time of that; what rules ask for is written beside it.

create function play_day(counted_at timestamptz) returns date
  language sql immutable strict parallel safe
  return (counted_at at time zone 'UTC')::date;

-- No foreign keys: a row without a play is none.
create table play_days (
  day date not null,
  user_id uuid not null,
  media_item_id uuid not null,
  play_count integer not null,
  -- Of these so many reached 90 % or the end.
  completed_count integer not null,
  -- How far the plays came, together.
  watched_seconds bigint not null,
  primary key (day, user_id, media_item_id),
  constraint play_days_plays_floor check (play_count > 0 and completed_count between 0 and play_count),
  constraint play_days_seconds_floor check (watched_seconds >= 0)
) with (fillfactor = 80);

create function count_play() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (old.user_id, old.media_item_id, play_day(old.counted_at)) = (new.user_id, new.media_item_id, play_day(new.counted_at)) then
      update play_days set
        completed_count = completed_count - (old.completed_at is not null)::int + (new.completed_at is not null)::int,
        watched_seconds = watched_seconds - old.reached_ticks / 10000000 + new.reached_ticks / 10000000
      where day = play_day(new.counted_at) and user_id = new.user_id and media_item_id = new.media_item_id;
      return null;
    end if;
  end if;
  if tg_op <> 'INSERT' then
    delete from play_days
    where day = play_day(old.counted_at) and user_id = old.user_id and media_item_id = old.media_item_id and play_count = 1;
    if not found then
      update play_days set play_count = play_count - 1,
        completed_count = completed_count - (old.completed_at is not null)::int,
        watched_seconds = watched_seconds - old.reached_ticks / 10000000
      where day = play_day(old.counted_at) and user_id = old.user_id and media_item_id = old.media_item_id;
    end if;
  end if;
  if tg_op <> 'DELETE' then
    insert into play_days as d (day, user_id, media_item_id, play_count, completed_count, watched_seconds)
    values (play_day(new.counted_at), new.user_id, new.media_item_id, 1, (new.completed_at is not null)::int, new.reached_ticks / 10000000)
    on conflict (day, user_id, media_item_id) do update set
      play_count = d.play_count + 1,
      completed_count = d.completed_count + excluded.completed_count,
      watched_seconds = d.watched_seconds + excluded.watched_seconds;
  end if;
  return null;
end $$;

create trigger play_days_of_new after insert or delete on playback_records for each row execute function count_play();
create trigger play_days_of_changed after update on playback_records for each row
  when ((old.user_id, old.media_item_id, old.counted_at, old.completed_at is null, old.reached_ticks / 10000000)
    is distinct from (new.user_id, new.media_item_id, new.counted_at, new.completed_at is null, new.reached_ticks / 10000000))
  execute function count_play();

-- Makes the rows what the plays say, and answers how many were wrong. Plays that come meanwhile wait.
create function rebuild_play_days() returns bigint language plpgsql as $$
declare
  mended bigint;
begin
  lock table playback_records in share mode;
  with wanted as (
    select play_day(counted_at) as day, user_id, media_item_id, count(*)::int as play_count, count(completed_at)::int as completed_count,
      sum(reached_ticks / 10000000)::int8 as watched_seconds
    from playback_records group by 1, 2, 3),
  gone as (
    delete from play_days d
    where not exists (
      select from wanted w where w.day = d.day and w.user_id = d.user_id and w.media_item_id = d.media_item_id)
    returning 1),
  written as (
    insert into play_days as d (day, user_id, media_item_id, play_count, completed_count, watched_seconds)
    select day, user_id, media_item_id, play_count, completed_count, watched_seconds from wanted
    on conflict (day, user_id, media_item_id) do update set
      play_count = excluded.play_count, completed_count = excluded.completed_count, watched_seconds = excluded.watched_seconds
    where (d.play_count, d.completed_count, d.watched_seconds)
      is distinct from (excluded.play_count, excluded.completed_count, excluded.watched_seconds)
    returning 1)
  select (select count(*) from gone) + (select count(*) from written) into mended;
  return mended;
end $$;

select rebuild_play_days();

-- How much a library held: of each day the last look at it.
create table storage_snapshots (
  id uuid primary key default gen_random_uuid(),
  library_id uuid not null references libraries (id) on delete cascade,
  day date not null,
  recorded_at timestamptz not null,
  media_type text not null,
  item_count bigint not null,
  total_bytes bigint not null,
  -- Of the whole server.
  transcode_cache_bytes bigint not null,
  constraint storage_snapshots_day_key unique (library_id, day),
  constraint storage_snapshots_floor check (item_count >= 0 and total_bytes >= 0 and transcode_cache_bytes >= 0)
);

-- What happened last, for a dashboard.
create index scan_jobs_ended on scan_jobs (completed_at desc, id) where completed_at is not null;
create index media_requests_newest on media_requests (created_at desc, id);

-- The texts under a key of metadata, as rules compare them: one text, or a list of texts or of objects with a name, each with U+0001
-- before and after it; null for none. Whatever else stands there is none, and so is a text that holds U+0001 itself.
create function joined_texts(value jsonb) returns text language plpgsql immutable strict parallel safe as $$
declare
  entry jsonb;
  word text;
  joined text := '';
begin
  if jsonb_typeof(value) = 'string' then
    word := trim(value #>> '{}');
    return case when word <> '' and strpos(word, E'\x01') = 0 then E'\x01' || word || E'\x01' end;
  elsif jsonb_typeof(value) <> 'array' then
    return null;
  end if;
  for index in 0 .. jsonb_array_length(value) - 1 loop
    entry := value -> index;
    if jsonb_typeof(entry) = 'object' then entry := entry -> 'name'; end if;
    if jsonb_typeof(entry) = 'string' then
      word := trim(entry #>> '{}');
      if word <> '' and strpos(word, E'\x01') = 0 then joined := joined || E'\x01' || word; end if;
    end if;
  end loop;
  return case when joined <> '' then joined || E'\x01' end;
end $$;

drop function rule_texts(jsonb);

alter table media_items
  add column said_genres text generated always as (joined_texts(coalesce(local_metadata -> 'genres', metadata -> 'genres'))) stored,
  add column said_ratings text generated always as (joined_texts(coalesce(local_metadata -> 'rating', metadata -> 'rating'))) stored,
  add column said_studios text generated always as (
    nullif(
      coalesce(joined_texts(coalesce(local_metadata -> 'production_companies', metadata -> 'production_companies')), '')
        || coalesce(joined_texts(coalesce(local_metadata -> 'studio', metadata -> 'studio')), ''),
      '')) stored,
  add column said_directors text generated always as (
    joined_texts(coalesce(local_metadata -> 'director', metadata -> 'director'))) stored,
  add column said_actors text generated always as (
    case when metadata ? 'actors' or local_metadata ? 'actors'
      then joined_texts(coalesce(local_metadata -> 'actors', metadata -> 'actors'))
      else joined_texts(coalesce(local_metadata -> 'cast', metadata -> 'cast')) end) stored,
  -- As vote_average, but as exact as a rule.
  add column critic_score double precision generated always as (
    case when jsonb_typeof(coalesce(local_metadata -> 'vote_average', metadata -> 'vote_average')) = 'number'
        and coalesce(local_metadata -> 'vote_average', metadata -> 'vote_average') between '0' and '10'
      then coalesce(local_metadata -> 'vote_average', metadata -> 'vote_average')::float8 end) stored;
