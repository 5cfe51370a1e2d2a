-- why: a place kept for 0027_webhooks
select 1;
