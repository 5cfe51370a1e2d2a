-- why: what a client may do only so often (registrations, refreshes, passkey logins, failed logins) is counted for all processes together
-- and outlives a restart (document 1, Limits; decisions 3.4, Login limiter). A row is one window of one caller of one surface: key is a
-- client address or an account. A row whose window has ended means nothing and is taken over or removed.

create table rate_limits (
  surface text not null,
  key text not null,
  hits integer not null,
  window_ends_at timestamptz not null,
  primary key (surface, key),
  constraint rate_limits_hits_positive check (hits > 0),
  constraint rate_limits_key_length check (char_length(key) <= 100)
);

-- Ended windows are removed oldest first.
create index rate_limits_window_ends_at on rate_limits (window_ends_at);
