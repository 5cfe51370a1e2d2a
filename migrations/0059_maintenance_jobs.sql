-- why: administrators start maintenance from a page and look at its result later, also after a restart of the server. The same page shows
-- whether a newer release was found, when that was asked, and what failed.

create table maintenance_jobs (
  id uuid primary key default gen_random_uuid(),
  task text not null,
  status text not null default 'queued',
  params jsonb not null,
  result jsonb,
  error text,
  requested_by uuid references users (id) on delete set null,
  queued_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  constraint maintenance_jobs_task_known check (task in ('storage-snapshot', 'dedupe-paths')),
  constraint maintenance_jobs_status_known check (status in ('queued', 'running', 'completed', 'failed')),
  constraint maintenance_jobs_error_of_failed check ((error is not null) = (status = 'failed'))
);

-- A second run of the same task would do the same work.
create unique index maintenance_jobs_active on maintenance_jobs (task) where status in ('queued', 'running');

create index maintenance_jobs_queued_at on maintenance_jobs (queued_at desc);

create index maintenance_jobs_requested_by on maintenance_jobs (requested_by);

create table release_checks (
  -- One row.
  id boolean primary key default true,
  -- The newest release that a check has found, which a failed check keeps.
  latest_version text,
  checked_at timestamptz not null,
  -- Why the last check failed.
  error text,
  constraint release_checks_one_row check (id)
);
