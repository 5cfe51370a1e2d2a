-- why: a transcode job is one item made playable for one device profile (document 2, Transcode job). Its directory holds playlists and
-- segments; the row outlives a restart, so that addresses already handed out keep working. Two players that start at the same time
-- must share one job, so there is at most one running row of an item and a profile. variants is null for a job without a ladder.

create table transcode_jobs (
  id uuid primary key default gen_random_uuid(),
  media_item_id uuid not null references media_items (id) on delete cascade,
  profile text not null,
  variants jsonb,
  status text not null default 'running',
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  error text,
  constraint transcode_jobs_status_known check (status in ('running', 'completed', 'failed', 'cancelled')),
  constraint transcode_jobs_failed_with_error check (status <> 'failed' or error is not null)
);

create unique index transcode_jobs_one_running on transcode_jobs (media_item_id, profile) where status = 'running';
create index transcode_jobs_last_used on transcode_jobs (last_used_at);
