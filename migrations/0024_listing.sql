-- why: a place kept for 0024_listing
select 1;
