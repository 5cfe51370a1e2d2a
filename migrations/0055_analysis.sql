-- why: films and episodes are read once in the background for skip markers and for the pictures of the time line. What was found out of
-- a file holds for its size and modification time; after a change of the file the row is made again. A failure is kept with its reason, so
-- that it is shown, and the file is not read again and again.

create table file_analyses (
  media_item_id uuid not null references media_items (id) on delete cascade,
  feature text not null,
  size_bytes bigint not null,
  modified_ns bigint not null,
  outcome text not null,
  -- Why there is no result; for people.
  reason text,
  -- Chromaprint's raw hashes, 4 bytes each, little-endian: about 116 KB for each hour.
  fingerprint bytea,
  -- The language of the sound that was read.
  language text,
  analysed_at timestamptz not null,
  primary key (media_item_id, feature),
  constraint file_analyses_feature_known check (feature in ('fingerprint', 'credits', 'trickplay')),
  -- 'none': the file has nothing to analyse, for example no sound.
  constraint file_analyses_outcome_known check (outcome in ('done', 'none', 'failed')),
  constraint file_analyses_reason_given check ((outcome = 'done') = (reason is null)),
  constraint file_analyses_fingerprint_of_sound check (
    (fingerprint is not null) = (feature = 'fingerprint' and outcome = 'done')
  ),
  constraint file_analyses_fingerprint_size check (octet_length(fingerprint) between 0 and 16777216)
);

create index file_analyses_failed on file_analyses (feature, media_item_id) where outcome = 'failed';

create table media_markers (
  media_item_id uuid not null references media_items (id) on delete cascade,
  type text not null,
  -- Both null: an administrator has said that the item has no such part.
  start_ms integer,
  end_ms integer,
  source text not null,
  -- 0 to 1.
  confidence real not null,
  -- Of the file that was analysed; null for those that an administrator wrote.
  size_bytes bigint,
  modified_ns bigint,
  created_at timestamptz not null,
  primary key (media_item_id, type),
  constraint media_markers_type_known check (type in ('intro', 'outro', 'recap', 'preview')),
  constraint media_markers_source_known check (source in ('chapters', 'sound', 'picture', 'manual')),
  constraint media_markers_range check (
    (start_ms is null and end_ms is null and source = 'manual') or (start_ms >= 0 and end_ms > start_ms)
  ),
  constraint media_markers_confidence check (confidence between 0 and 1),
  constraint media_markers_of_file check ((size_bytes is null) = (modified_ns is null))
);

create index media_markers_by_type on media_markers (type, start_ms) where start_ms is not null;

-- What the markers of a season were made of: unchanged, the season is not compared again.
create table season_analyses (
  season_id uuid primary key references media_items (id) on delete cascade,
  input_hash bytea not null,
  analysed_at timestamptz not null,
  constraint season_analyses_hash check (octet_length(input_hash) = 32)
);

-- An analysis takes hours and must not keep a scan of its library waiting. One of each may run.
drop index scan_jobs_one_running;
create unique index scan_jobs_one_running on scan_jobs (library_id, (type in ('markers', 'trickplay'))) where status = 'running';
