-- why: the place in a reflowable book is a point in its text. A page number is another one after each change of the window or the font.

alter table book_progress
  -- As the reader wrote it: the fragment identifier of an EPUB (CFI), or that of another format; null: none was sent with the place.
  add column locator text,
  add constraint book_progress_locator_length check (char_length(locator) between 1 and 2000);
