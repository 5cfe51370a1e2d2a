-- why: segments of a copied picture begin with its key frames, and playlists say how long each is before any is made; to find the key
-- frames a table of the file is read, or in the worst case the whole file, which nobody should wait for twice.

create table stream_indexes (
  media_item_id uuid primary key references media_items (id) on delete cascade,
  -- Of the file that it is about; another file needs another index.
  size_bytes bigint not null,
  modified_ns bigint not null,
  stream_index integer not null,
  -- On the clock of the file.
  first_microseconds bigint not null,
  end_microseconds bigint not null,
  frame_count integer,
  has_constant_rate boolean not null,
  -- Distances of the key frames in microseconds, the first from first_microseconds, seven bits a byte; empty where nobody could tell.
  key_frames bytea not null,
  constraint stream_indexes_in_order check (end_microseconds >= first_microseconds),
  constraint stream_indexes_frames_floor check (frame_count >= 0)
);
