-- why: an invite sets what the invited account may see, and may be meant for several people. An account must not lose its last way to sign in, so it
-- is known whether anybody knows its password. Groups of the OpenID provider decide about libraries too.

alter table account_invites
  -- What an invited account may see; null: everything.
  add column policy_id integer references access_policies (id),
  add column max_uses integer not null default 1,
  add column uses integer not null default 0;
update account_invites set uses = 1 where used_at is not null;
alter table account_invites
  add constraint account_invites_max_uses check (max_uses between 1 and 1000),
  add constraint account_invites_uses check (uses between 0 and max_uses);
create index account_invites_policy_id on account_invites (policy_id);

alter table users add column invite_id uuid references account_invites (id) on delete set null;
update users u set invite_id = i.id from account_invites i where i.used_by = u.id;
create index users_invite_id on users (invite_id);
alter table account_invites drop column used_by;

-- False for an account that a sign-in provider has made: its password is random, and nobody has seen it.
alter table users add column has_password boolean not null default true;
update users u set has_password = false from account_sign_in_links l where l.user_id = u.id and l.created_at = u.created_at;

-- Names or ids of libraries, or `*` for all; null if the groups of the provider do not decide it.
alter table oidc_codes add column libraries text[];
