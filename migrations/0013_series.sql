-- why: a tvshow.nfo tells about a series as a picture shows it, so it is remembered with the series that it lies beside. And an extra may
-- be there before its film is, or outlive the file that it belonged to: it remembers the folder whose film it is an extra of.

alter table item_sidecars
  drop constraint item_sidecars_kind_known,
  add constraint item_sidecars_kind_known check (
    kind in ('poster', 'backdrop', 'logo', 'banner', 'thumb', 'disc', 'subtitle', 'lyrics', 'nfo')
  );

alter table media_items
  add column owner_folder_hash bytea,
  add constraint media_items_owner_folder_hash check (octet_length(owner_folder_hash) = 32),
  add constraint media_items_owner_folder_has_role check (owner_folder_hash is null or role is not null);

create index media_items_for_folder on media_items (library_id, owner_folder_hash) where owner_folder_hash is not null;
