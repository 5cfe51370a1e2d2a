-- why: subtitles that are pictures can be drawn into the picture; who asks for it needs a stream of his own beside that of all others.

alter table transcode_jobs
  -- The stream of the file that is drawn into the picture, as ffmpeg counts; null for none.
  add column burned_stream integer,
  add constraint transcode_jobs_burned_stream_floor check (burned_stream >= 0);

drop index transcode_jobs_one_running;
create unique index transcode_jobs_one_running on transcode_jobs (media_item_id, profile, coalesce(burned_stream, -1)) where status = 'running';
