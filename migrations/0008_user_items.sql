-- why: what one account says about one item (document 1, user_data; document 4, 2.4): favourite, rating, like, watched. One row per
-- account and item, made when something is said for the first time; no row means that nothing has been said. A time stands where the
-- favourites list needs an order and where the watching state needs to know when.

create table user_items (
  user_id uuid not null references users (id) on delete cascade,
  media_item_id uuid not null references media_items (id) on delete cascade,
  -- Since when the item is a favourite; null: it is none.
  favourite_since timestamptz,
  rating integer,
  like_level integer not null default 0,
  -- When the item was last marked as watched; null: it is not.
  watched_at timestamptz,
  primary key (user_id, media_item_id),
  constraint user_items_rating_range check (rating between 1 and 10),
  constraint user_items_like_level_range check (like_level between -2 and 2)
);

create index user_items_media_item_id on user_items (media_item_id);
create index user_items_favourites on user_items (user_id, favourite_since desc, media_item_id) where favourite_since is not null;
