-- why: a place kept for 0025_stream_index
select 1;
