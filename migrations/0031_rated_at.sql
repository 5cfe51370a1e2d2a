-- why: of two ratings of what becomes one film, the newer counts. Null: not rated, or rated before this column was there.
alter table user_items add column rated_at timestamptz;
