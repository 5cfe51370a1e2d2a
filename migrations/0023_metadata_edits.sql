-- why: a place kept for 0023_metadata_edits
select 1;
