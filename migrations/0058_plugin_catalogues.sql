-- why: plugins can be installed and updated from catalogues: index files on other servers. Whether code of a catalogue may run here is decided
-- by somebody with a shell on this machine, so it is a fact of this database and not of the catalogue.

create table plugin_catalogues (
  url text primary key,
  -- Only a command sets it. Plugins of other catalogues can be listed, but not installed.
  is_trusted boolean not null,
  added_at timestamptz not null,
  constraint plugin_catalogues_url_form check (url ~ '^(https|file)://' and length(url) <= 2000)
);

-- What a trusted catalogue said first about a version. A later index that says something else about the same version is not believed.
create table plugin_catalogue_pins (
  url text not null references plugin_catalogues (url) on delete cascade,
  plugin_name text not null,
  -- Empty: the key of the author, for all versions.
  version text not null,
  -- SHA-256 of the archive or key of the author; empty if there was none.
  pin text not null,
  seen_at timestamptz not null,
  primary key (url, plugin_name, version)
);

-- The catalogue that the installed version came from; null if it came from elsewhere. Updates come from the same one.
alter table plugins add column catalogue text;
