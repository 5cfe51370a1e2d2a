-- why: playlists announce the peak bit rate of a copied picture, which follows from the bytes between its key frames; they were not noted
-- so far, so each film is looked at once more: in the tables of its container, when it is started next.

delete from stream_indexes;

alter table stream_indexes
  -- For each key frame the bytes up to the next, seven bits a byte.
  add column key_frame_bytes bytea not null;
