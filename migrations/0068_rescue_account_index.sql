-- why: without an index the deletion of an account reads the table that refers to it. It has one row, but the rule has no exceptions.
create index rescue_accounts_user_id on rescue_accounts (user_id);
