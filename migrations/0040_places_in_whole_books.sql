-- why: some clients count the place in an audiobook from the start of the book and not of the chapter. The place stays stored within its
-- chapter; this says how it is told to the client that reads it back.

alter table audiobook_progress add column counts_whole_book boolean not null default false;
