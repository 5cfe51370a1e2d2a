-- why: a series or season is watched when all of its episodes are, so that marks stand with episodes. What was marked as a whole gives its
-- mark to the episodes that were there at that time, and keeps none that would outlive theirs.

insert into user_items as u (user_id, media_item_id, watched_at)
select m.user_id, e.id, max(m.watched_at)
from user_items m join media_items top on top.id = m.media_item_id and top.type in ('series', 'season')
cross join lateral (select top.id union all select s.id from media_items s where s.parent_id = top.id) place (id)
join media_items e on e.parent_id = place.id and e.type = 'episode' and e.role is null and e.added_at <= m.watched_at
where m.watched_at is not null
group by m.user_id, e.id
on conflict (user_id, media_item_id) do update set watched_at = coalesce(u.watched_at, excluded.watched_at);

update user_items m set watched_at = null
from media_items top
where top.id = m.media_item_id and top.type in ('series', 'season') and m.watched_at is not null
  and exists (select from media_items below where below.parent_id = top.id);
