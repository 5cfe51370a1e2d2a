-- why: an administrator clears the pictures of a library, or empties it, in the background: jobs of two more types.

alter table scan_jobs drop constraint scan_jobs_type_known;
alter table scan_jobs add constraint scan_jobs_type_known check (
  type in ('scan', 'rescan', 'metadata', 'metadata_refresh', 'clear_metadata', 'clear_artwork', 'delete_all', 'prune', 'markers',
    'trickplay', 'source_backfill')
);
