-- why: the clock of a recording may jump ahead by minutes. Times of the index leave jumps out; where they are is kept, so that encoders can
-- do the same.

alter table stream_indexes add column jumps jsonb not null default '[]';

-- Earlier indexes of such containers may hide a jump where frames are not equally long; they are made again when they are needed.
delete from stream_indexes x using media_items i
  where i.id = x.media_item_id and not x.has_constant_rate and i.container in ('ts', 'm2ts', 'mts', 'mpg', 'vob');
