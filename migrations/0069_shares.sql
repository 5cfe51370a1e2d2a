-- why: an account shows something to people without an account, for a time. The token of a link is random, so that a digest without salt and
-- cost is enough to find and to protect it. A link that has ended is kept for a while, so that its guests are told why it does not open.

create table shares (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null,
  -- The item, album or collection. It gives the title; what is shown is listed in share_items.
  subject_id uuid,
  -- The day of an album of photos.
  photo_day date,
  -- SHA-256 of the token.
  digest bytea not null unique,
  password_hash text,
  allows_download boolean not null,
  -- Null: any number of uses.
  max_uses integer,
  uses integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_address text,
  constraint shares_kind_known check (kind in ('item', 'album', 'photo_album', 'collection')),
  constraint shares_subject check (
    case kind when 'photo_album' then photo_day is not null and subject_id is null else subject_id is not null and photo_day is null end),
  constraint shares_digest_size check (octet_length(digest) = 32),
  constraint shares_lifetime check (expires_at > created_at),
  constraint shares_uses check (uses >= 0 and max_uses > 0 and (max_uses is null or uses <= max_uses)),
  constraint shares_address_length check (char_length(last_address) <= 64)
);

create index shares_user_id on shares (user_id);
create index shares_expires_at on shares (expires_at);

-- The items that were part of the subject when the link was made. What is below a season or series belongs to it at any time.
create table share_items (
  share_id uuid not null references shares (id) on delete cascade,
  media_item_id uuid not null references media_items (id) on delete cascade,
  position integer not null,
  primary key (share_id, media_item_id)
);

create index share_items_media_item_id on share_items (media_item_id);
