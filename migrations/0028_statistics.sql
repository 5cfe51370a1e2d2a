-- why: a place kept for 0028_statistics
select 1;
