-- why: what a user is watching (document 4, section 3). A session is one player of one user; ending it keeps the row, because the
-- places where its items were left are what continue-watching shows. There is one state per session and item, and the newest of a
-- user's states of an item counts. A record is a play that counts, at most one per session and item; it names its session without
-- referring to it, so that it outlives it. Ticks are 100 ns. Audiobooks have one place per user, in chapters.

create table playback_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  device_id text,
  device_name text,
  device_type text,
  -- What the session played last; none again after that was put away. No foreign key: removing items would have to lock the sessions
  -- that played them, and two removals could then wait for each other.
  last_item_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  constraint playback_sessions_owner_key unique (id, user_id),
  constraint playback_sessions_texts_length check (
    char_length(device_id) <= 255 and char_length(device_name) <= 255 and char_length(device_type) <= 255
  )
);

create index playback_sessions_of_user on playback_sessions (user_id, updated_at desc, id);
-- For moved files, whose new row goes.
create index playback_sessions_last_item on playback_sessions (last_item_id);

create table playback_states (
  session_id uuid not null,
  -- The session's user, held to it by the foreign key: a state cannot belong to somebody else.
  user_id uuid not null,
  media_item_id uuid not null references media_items (id) on delete cascade,
  status text not null,
  position_ticks bigint not null,
  duration_ticks bigint,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (session_id, media_item_id),
  constraint playback_states_session_fkey foreign key (session_id, user_id)
    references playback_sessions (id, user_id) on delete cascade,
  constraint playback_states_status_known check (status in ('playing', 'paused', 'stopped')),
  constraint playback_states_position_floor check (position_ticks >= 0),
  constraint playback_states_duration_floor check (duration_ticks > 0),
  constraint playback_states_position_inside check (position_ticks <= duration_ticks)
);

create index playback_states_newest_of_item on playback_states (user_id, media_item_id, updated_at desc, session_id desc);
create index playback_states_newest on playback_states (user_id, updated_at desc);
create index playback_states_item on playback_states (media_item_id);

create table playback_records (
  session_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  media_item_id uuid not null references media_items (id) on delete cascade,
  started_at timestamptz not null,
  counted_at timestamptz not null,
  -- When 90 % or the end was reached; null for a play that was given up before.
  completed_at timestamptz,
  -- How far the play came.
  reached_ticks bigint not null,
  duration_ticks bigint,
  primary key (session_id, media_item_id),
  constraint playback_records_reached_floor check (reached_ticks >= 0),
  constraint playback_records_duration_floor check (duration_ticks > 0)
);

create index playback_records_of_user on playback_records (user_id, counted_at);
create index playback_records_of_item on playback_records (media_item_id, counted_at);
create index playback_records_counted on playback_records (counted_at);

create table audiobook_progress (
  user_id uuid not null references users (id) on delete cascade,
  media_item_id uuid not null references media_items (id) on delete cascade,
  -- Within the current chapter.
  position_ms bigint not null,
  current_chapter_index integer not null,
  completed_chapters integer[] not null,
  percent_complete double precision not null,
  last_played_at timestamptz not null,
  primary key (user_id, media_item_id),
  constraint audiobook_progress_position_floor check (position_ms >= 0),
  constraint audiobook_progress_chapter_floor check (current_chapter_index >= 0),
  constraint audiobook_progress_percent_range check (percent_complete between 0 and 100)
);

create index audiobook_progress_item on audiobook_progress (media_item_id);
