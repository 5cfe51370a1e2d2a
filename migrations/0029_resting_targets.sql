-- why: a target that fails one attempt after the other is left alone for longer and longer, instead of once for each delivery.
alter table delivery_targets
  add column failures_in_a_row integer not null default 0,
  add column rest_until timestamptz;
