-- why: when passwords and passkeys of this server are switched off, a provider that does not answer would keep everybody out. One administrator can
-- still sign in with a password, from the server itself.
create table rescue_accounts (
  -- There is at most one row.
  is_only boolean primary key default true,
  user_id uuid not null references users (id) on delete cascade,
  constraint rescue_accounts_is_only check (is_only)
);

create index rescue_accounts_user_id on rescue_accounts (user_id);
