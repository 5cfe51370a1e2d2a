-- why: a home video, or a film that no provider has, was asked about again at each match after a scan. What was asked in vain, and when,
-- is remembered, so that those matches leave it alone for a while, unless it is called otherwise by then.
create table metadata_misses (
  media_item_id uuid primary key references media_items (id) on delete cascade,
  -- SHA-256 over what was looked for: name, year, place and external ids.
  question_hash bytea not null,
  -- Names of the providers that were asked, with commas between.
  providers text not null,
  asked_at timestamptz not null,
  constraint metadata_misses_hash check (octet_length(question_hash) = 32)
);
