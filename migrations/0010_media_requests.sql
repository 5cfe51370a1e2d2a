-- why: people ask for titles that the library lacks (document 1, Media request). A request belongs to whoever made it and is decided
-- once: only a pending one may change, which each statement that decides it checks in its own where clause.

create table media_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  type text not null,
  catalog_id integer not null,
  title text not null,
  poster_url text,
  season_number integer,
  episode_number integer,
  status text not null default 'pending',
  rejection_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint media_requests_type_known check (type in ('movie', 'series')),
  constraint media_requests_catalog_id_positive check (catalog_id > 0),
  constraint media_requests_title_length check (char_length(title) between 1 and 500),
  constraint media_requests_poster_length check (char_length(poster_url) between 1 and 2048),
  constraint media_requests_movies_have_no_parts check (type = 'series' or (season_number is null and episode_number is null)),
  constraint media_requests_numbers_floor check (season_number >= 0 and episode_number >= 0),
  constraint media_requests_status_known check (status in ('pending', 'approved', 'available', 'rejected')),
  constraint media_requests_reason_with_rejection check (rejection_reason is null or status = 'rejected')
);

create index media_requests_of_user on media_requests (user_id, created_at desc, id);
create index media_requests_by_status on media_requests (status, created_at desc, id);
