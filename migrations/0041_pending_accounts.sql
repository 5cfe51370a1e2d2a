-- why: an account can wait for the approval of an administrator before it may sign in.
alter table users
  drop constraint users_status_known,
  add constraint users_status_known check (status in ('active', 'pending', 'disabled'));
