-- why: two jobs of one library can be queued within one millisecond; their random ids said nothing about which was first.
alter table scan_jobs add column queue_number bigint generated always as identity;
drop index scan_jobs_history;
create index scan_jobs_history on scan_jobs (library_id, queued_at desc, queue_number desc);
