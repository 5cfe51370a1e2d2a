-- why: indexes of Matroska files counted the bytes of tracks that a copy does not send, those of recordings left out clocks that jump back
-- and pictures that are not H.264, and plans did not count the sound that is fetched beside a picture. Such films are looked at and planned
-- again when they are started next.

delete from stream_indexes x using media_items i
  where i.id = x.media_item_id and i.container in ('mkv', 'webm', 'mk3d', 'ts', 'm2ts', 'mts', 'mpg', 'vob');

update transcode_jobs set status = 'cancelled' where status = 'running';
