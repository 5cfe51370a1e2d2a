-- why: plans of streams now leave jumps of the clock out, last as long for picture and sound, and announce peaks. A stream that was planned
-- before would be used again for a week; it is planned again when its film is started next.

update transcode_jobs set status = 'cancelled' where status = 'running';
