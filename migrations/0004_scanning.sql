-- why: scan jobs are the API's truth about background work; the queue only carries their ids. Two rules live here because two
-- processes must not disagree about them: at most one job of a library runs, and at most one fresh job of a type waits. A job that
-- was taken up again after its worker died waits beside a fresh one, hence `attempts` in the second rule.

create table scan_jobs (
  id uuid primary key default gen_random_uuid(),
  library_id uuid not null references libraries (id) on delete cascade,
  type text not null,
  status text not null default 'queued',
  options jsonb not null default '{}',
  requested_by uuid references users (id) on delete set null,
  attempts integer not null default 0,
  items_found integer not null default 0,
  items_added integer not null default 0,
  items_updated integer not null default 0,
  items_removed integer not null default 0,
  items_failed integer not null default 0,
  current_path text,
  error text,
  queued_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  constraint scan_jobs_type_known check (
    type in ('scan', 'rescan', 'metadata', 'metadata_refresh', 'clear_metadata', 'prune', 'markers', 'trickplay', 'source_backfill')
  ),
  constraint scan_jobs_status_known check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  constraint scan_jobs_options_object check (jsonb_typeof(options) = 'object'),
  constraint scan_jobs_counters_floor check (
    attempts >= 0 and items_found >= 0 and items_added >= 0 and items_updated >= 0 and items_removed >= 0 and items_failed >= 0
  ),
  constraint scan_jobs_ended_with_time check ((completed_at is not null) = (status in ('completed', 'failed', 'cancelled'))),
  constraint scan_jobs_started_with_time check (status <> 'running' or started_at is not null),
  constraint scan_jobs_failed_with_error check (status <> 'failed' or error is not null)
);

create unique index scan_jobs_one_running on scan_jobs (library_id) where status = 'running';
create unique index scan_jobs_one_waiting on scan_jobs (library_id, type) where status = 'queued' and attempts = 0;
create index scan_jobs_history on scan_jobs (library_id, queued_at desc, id desc);
create index scan_jobs_open on scan_jobs (status) where status in ('queued', 'running');

create table scan_failures (
  scan_job_id uuid not null references scan_jobs (id) on delete cascade,
  path_hash bytea not null,
  path text not null,
  code text not null,
  reason text not null,
  occurred_at timestamptz not null,
  primary key (scan_job_id, path_hash),
  constraint scan_failures_hash check (octet_length(path_hash) = 32)
);
