-- why: a watch group lives in the memory of one server process. Its row names that process, so that the other processes of this database
-- can reach the group, and has its last state, so that the group outlives the process.

create table watch_groups (
  id uuid primary key,
  -- Who created it; the number of groups of an account is limited.
  owner_id uuid references users (id) on delete set null,
  -- The process holds the session lock `watch-groups:ID` while it runs.
  process_id uuid not null,
  -- JSON. As text, because jsonb has no NUL, which names and messages may contain.
  state text not null,
  -- The state without chat and queue, for lists.
  listing text not null,
  -- When the state was stored, by the clock of the database: the clocks of the processes may differ.
  stored_at timestamptz not null,
  -- The process renews it; a row that is not renewed belongs to no group any more.
  updated_at timestamptz not null,
  constraint watch_groups_state_size check (length(state) <= 1000000)
);

create index watch_groups_owner on watch_groups (owner_id);
