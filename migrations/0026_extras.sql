-- why: a place kept for 0026_extras
select 1;
