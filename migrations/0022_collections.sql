-- why: people put items together by hand, by rules, or because a provider says that films belong together (document 2, Smart playlist
-- and Collection; decisions 3.5 and 3.7). Rules are kept as the tree that was checked; what belongs to a smart collection is written
-- down when somebody refreshes it, so that its curator's order has a place. What a curator took out of a collection that providers
-- filled is remembered, or the next job would put it back.

-- The texts under a key of metadata: one text, or a list of texts or of objects with a name; whatever else stands there is none. As
-- facet_words reads them, but as they are written: rules compare letter by letter.
create function rule_texts(value jsonb) returns text[]
  language sql immutable parallel safe
  return array(
    select trim(name #>> '{}')
    from (
      select case when jsonb_typeof(entry) = 'object' then entry -> 'name' else entry end as name
      from jsonb_array_elements(
        case jsonb_typeof(value) when 'array' then value when 'string' then jsonb_build_array(value) else '[]' end) as entries (entry)
    ) named
    where jsonb_typeof(name) = 'string' and trim(name #>> '{}') <> '');

create table smart_playlists (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  library_id uuid not null references libraries (id) on delete cascade,
  -- Null: whoever made it has no account any more.
  owner_id uuid references users (id) on delete set null,
  rules jsonb not null,
  -- 0: all.
  item_limit integer not null,
  sort_by text not null,
  is_descending boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint smart_playlists_name_length check (char_length(name) between 1 and 128),
  constraint smart_playlists_rules_object check (jsonb_typeof(rules) = 'object'),
  constraint smart_playlists_limit_floor check (item_limit >= 0),
  constraint smart_playlists_sort_length check (char_length(sort_by) between 1 and 32)
);

create index smart_playlists_library_id on smart_playlists (library_id);
create index smart_playlists_owner_id on smart_playlists (owner_id) where owner_id is not null;

create table collections (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  library_id uuid not null references libraries (id) on delete cascade,
  -- Null: made by the server, or by an account that is gone.
  owner_id uuid references users (id) on delete set null,
  smart_playlist_id uuid references smart_playlists (id) on delete set null,
  parent_id uuid references collections (id) on delete set null,
  -- The provider's id of the films that belong together; null: not made by the server.
  box_set_id text,
  -- Whether a person has changed it since the server made it; it then stays whatever providers say.
  is_curated boolean not null default false,
  sort_order integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint collections_name_length check (char_length(name) between 1 and 128),
  constraint collections_not_own_parent check (parent_id <> id),
  constraint collections_box_set_length check (char_length(box_set_id) between 1 and 100)
);

create index collections_library_id on collections (library_id);
create index collections_owner_id on collections (owner_id) where owner_id is not null;
create index collections_smart_playlist_id on collections (smart_playlist_id) where smart_playlist_id is not null;
create index collections_parent_id on collections (parent_id) where parent_id is not null;
create unique index collections_box_set_key on collections (library_id, box_set_id) where box_set_id is not null;

create table collection_items (
  collection_id uuid not null references collections (id) on delete cascade,
  media_item_id uuid not null references media_items (id) on delete cascade,
  sort_order integer not null,
  -- Whether a provider's word put it there, which may also take it away again.
  is_automatic boolean not null default false,
  added_at timestamptz not null,
  primary key (collection_id, media_item_id)
);

create index collection_items_in_order on collection_items (collection_id, sort_order, media_item_id);
create index collection_items_media_item_id on collection_items (media_item_id);

-- Films that a curator took out of a collection which the server made.
create table collection_exclusions (
  collection_id uuid not null references collections (id) on delete cascade,
  media_item_id uuid not null references media_items (id) on delete cascade,
  primary key (collection_id, media_item_id)
);

create index collection_exclusions_media_item_id on collection_exclusions (media_item_id);

-- Box sets whose collection somebody deleted.
create table dismissed_box_sets (
  library_id uuid not null references libraries (id) on delete cascade,
  box_set_id text not null,
  primary key (library_id, box_set_id)
);

create index media_items_of_box_sets on media_items (library_id)
  where type = 'movie' and role is null and jsonb_typeof(metadata -> 'collection') = 'object';
