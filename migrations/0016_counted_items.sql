-- why: every list of libraries, and every scan, counts the items of a library. Over the rows themselves that takes seconds with a
-- million of them; this index holds exactly the rows that count, and nothing but their place.

create index media_items_counted on media_items (library_id) where role is null and (path is not null or type = 'audiobook');
