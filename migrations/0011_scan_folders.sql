-- why: an unchanged folder must not cost a write. Which folders a job came by is kept by the job itself while it walks; what is left
-- over at its end are the folders that are gone. So the row no longer names the job that saw it last.

alter table scan_folders drop column seen_by;

-- A rescan tries again what has never been read; in a healthy library that is nothing, and must cost nothing to find out.
create index media_items_unread on media_items (library_id)
  where path is not null and not metadata ? 'source' and type in ('movie', 'video', 'episode', 'audio', 'audiobook');
