-- why: what a library sounds and looks like when somebody opens it (theme media) is found by a scan and shown from a row, so that showing
-- it opens no folder. Trailers and extras of an item are put together from its files and from what providers say, and kept for a day.

create table theme_media (
  library_id uuid primary key references libraries (id) on delete cascade,
  -- {path, durationSeconds, width, height, format}, or null.
  audio jsonb,
  video jsonb,
  scanned_at timestamptz not null,
  constraint theme_media_audio_object check (jsonb_typeof(audio) = 'object'),
  constraint theme_media_video_object check (jsonb_typeof(video) = 'object')
);

create table item_extras (
  media_item_id uuid primary key references media_items (id) on delete cascade,
  extras jsonb not null,
  listed_at timestamptz not null,
  constraint item_extras_array check (jsonb_typeof(extras) = 'array')
);
