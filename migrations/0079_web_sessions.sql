-- why: the web page keeps its refresh token in a cookie that scripts cannot read. From then on, the tokens of the session are accepted in the
-- cookie only, so that a token that a script has seen at the sign-in is of no use later.

alter table refresh_families add column is_in_cookie boolean not null default false;
