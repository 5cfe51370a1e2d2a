-- why: users of a hub act as accounts of this server. The hub says who may use it; the mapping stays when a share ends, so that the history of
-- a person is not lost when the share is given again. An account is made at the first use of the share.
create table hub_members (
  hub_user_id uuid primary key,
  username text not null,
  is_owner boolean not null,
  -- The libraries that are shared; null for all.
  library_ids jsonb,
  -- Whether the hub still names the person.
  is_active boolean not null,
  account_id uuid references users (id) on delete set null,
  -- The session of the tokens of the hub; it has no refresh token of its own.
  session_id uuid,
  updated_at timestamptz not null,
  constraint hub_members_username_length check (char_length(username) between 1 and 300)
);

create index hub_members_account_id on hub_members (account_id);

-- A session of a user of the hub never has the rights of an administrator, whatever its account is: a hub must not administer servers.
alter table refresh_families add column is_restricted boolean not null default false;
