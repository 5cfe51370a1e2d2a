-- why: a page of a list asks which of its films have a picture attached. Most have none, and without an index of those that do, every
-- stream of every film of the page would be read to find that out.

create index media_streams_attached on media_streams (media_item_id) where stream_type = 'attachment';
