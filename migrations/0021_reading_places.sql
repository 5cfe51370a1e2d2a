-- why: a reader wants to find the page again, on any device; and tracks, audiobooks and books are listed by name out of a catalogue that
-- may hold a million other things, so they have a name order of their own.

create table book_progress (
  user_id uuid not null references users (id) on delete cascade,
  media_item_id uuid not null references media_items (id) on delete cascade,
  -- What the reader's program counts in; no meaning is read into it.
  position_ms bigint not null,
  -- From 1; 0 is before the first one.
  current_page integer not null,
  -- As the program lays the book out; 0 where it does not know.
  total_pages integer not null,
  percent_complete double precision not null,
  last_read_at timestamptz not null,
  primary key (user_id, media_item_id),
  constraint book_progress_position_floor check (position_ms >= 0),
  constraint book_progress_pages_floor check (current_page >= 0 and total_pages >= 0),
  constraint book_progress_percent_range check (percent_complete between 0 and 100)
);

create index book_progress_item on book_progress (media_item_id);

create index media_items_listened_and_read on media_items (type, sort_key, id)
  where type in ('audio', 'audiobook', 'book') and role is null;
