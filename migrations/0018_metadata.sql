-- why: what a provider says about an item is asked once and can be taken back (document 1, job semantics 5 to 7). The item remembers when
-- that was, and what it was called before a provider named it; a job over all items of a library remembers the last one it has dealt
-- with, so that another worker goes on after it; and replies of providers are kept for a day, so that asking twice costs them nothing.

alter table media_items
  -- Null: nothing has been asked yet, nobody knew it, or it was cleared.
  add column metadata_refreshed_at timestamptz,
  -- Name, sort title, year and episode title as names of files say them; null unless a provider has named it since.
  add column naming_before jsonb,
  -- One of the provider's posters that a person has chosen; asking the provider again leaves it.
  add column chosen_poster_url text,
  add constraint media_items_naming_before_object check (jsonb_typeof(naming_before) = 'object'),
  add constraint media_items_chosen_poster_length check (char_length(chosen_poster_url) between 1 and 2048);

-- What a metadata job visits, in its order.
create index media_items_matchable on media_items (library_id, id) where role is null and type in ('movie', 'video', 'series');

alter table scan_jobs add column cursor uuid;

create table provider_replies (
  -- SHA-256 over provider, address and parameters, without what identifies us.
  request_hash bytea primary key,
  -- The part of the reply that is read; null: the provider has no such thing.
  reply jsonb,
  fetched_at timestamptz not null,
  constraint provider_replies_hash check (octet_length(request_hash) = 32)
);

create index provider_replies_by_age on provider_replies (fetched_at);
