-- why: approved media requests are fetched by Radarr and Sonarr, which tell or are asked when a title is there. Sonarr numbers series
-- by TVDB: the number that was found for a request is kept, because some of its messages name no other. Requests that wait for their
-- title are looked up by it.

alter table media_requests
  add column tvdb_id integer,
  add constraint media_requests_tvdb_id_positive check (tvdb_id > 0),
  add constraint media_requests_movies_have_no_tvdb_id check (type = 'series' or tvdb_id is null);

create index media_requests_awaited on media_requests (type, catalog_id) where status = 'approved';
