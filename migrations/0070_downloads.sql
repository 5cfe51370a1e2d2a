-- why: a film is taken along in a quality that fits a small device. Making the file takes minutes, so that it is a job with a row, which survives
-- the end of the process. All who may see the film share the file.

create table downloads (
  id uuid primary key default gen_random_uuid(),
  media_item_id uuid not null references media_items (id) on delete cascade,
  -- The id of a rung of the quality ladder.
  quality text not null,
  status text not null,
  percent integer not null,
  size_bytes bigint,
  -- The code of the error.
  failure text,
  -- Changes with the files of the film.
  source_stamp text not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  constraint downloads_key unique (media_item_id, quality),
  constraint downloads_quality_form check (quality ~ '^[a-z0-9]{1,32}$'),
  constraint downloads_status_known check (status in ('waiting', 'running', 'ready', 'failed')),
  constraint downloads_percent_range check (percent between 0 and 100),
  constraint downloads_size check ((status = 'ready') = (size_bytes is not null)),
  constraint downloads_failure check ((status = 'failed') = (failure is not null))
);

create index downloads_unfinished on downloads (created_at, id) where status in ('waiting', 'running');
