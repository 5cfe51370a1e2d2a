-- why: accounts and their refresh sessions (decisions 3.4). Usernames and e-mail addresses are unique without regard to case, so that
-- of fifty registrations of one name at the same time exactly one wins. Refresh tokens are rows because each may be used once:
-- a token names its family, and a family dies as a whole when a used token comes back.

create table users (
  id uuid primary key default gen_random_uuid(),
  username text not null,
  email text not null,
  password_hash text not null,
  display_name text,
  avatar_url text,
  is_admin boolean not null default false,
  status text not null default 'active',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_login_at timestamptz,
  constraint users_username_length check (char_length(username) between 3 and 50),
  constraint users_email_length check (char_length(email) between 3 and 254),
  constraint users_password_hash_form check (password_hash like '$argon2id$%'),
  constraint users_status_known check (status in ('active', 'disabled'))
);

create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));

create table refresh_families (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  revoked_at timestamptz,
  revoked_reason text,
  constraint refresh_families_reason_known check (revoked_reason in ('logout', 'reuse', 'password_reset', 'account_disabled')),
  constraint refresh_families_reason_given check ((revoked_at is null) = (revoked_reason is null))
);

create index refresh_families_user_id on refresh_families (user_id);

create table refresh_tokens (
  jti text primary key,
  family_id uuid not null references refresh_families (id) on delete cascade,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  -- Set together at first use; the successor is what a second use within the grace period answers again.
  used_at timestamptz,
  successor_jti text unique,
  constraint refresh_tokens_jti_form check (jti ~ '^[0-9a-f]{32}$'),
  constraint refresh_tokens_lifetime check (expires_at > issued_at),
  constraint refresh_tokens_used_with_successor check ((used_at is null) = (successor_jti is null)),
  constraint refresh_tokens_successor_fkey foreign key (successor_jti) references refresh_tokens (jti)
    on delete cascade deferrable initially deferred
);

create index refresh_tokens_family_id on refresh_tokens (family_id);
create index refresh_tokens_expires_at on refresh_tokens (expires_at);
