import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { Activity } from '../activity.ts'

const ActivityRow = z.strictObject({
  id: z.string(),
  action: z.string(),
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  mediaItemId: z.string().nullable(),
  target: z.string(),
  occurredAt: z.date(),
})

/** The newest of each kind, by an index for kinds that may have many rows, and then the newest of all. */
export async function selectActivity(connection: Connection, limit: number): Promise<Activity[]> {
  const rows = await connection.any(sql.type(ActivityRow)`
    select id, action, actor_id, actor_name, media_item_id, target, occurred_at
    from (
      (select 'play:' || r.session_id || ':' || r.media_item_id as id,
        case when r.completed_at is null then 'playback.ended' else 'playback.completed' end as action,
        u.id as actor_id, u.username as actor_name, i.id as media_item_id, i.name as target, r.counted_at as occurred_at
      from playback_records r join profiles f on f.id = r.profile_id join users u on u.id = f.account_id join media_items i on i.id = r.media_item_id
      order by r.counted_at desc limit ${limit})
      union all
      (select 'job:' || j.id, j.type || '.' || j.status, u.id, u.username, null, l.name, j.completed_at
      from scan_jobs j join libraries l on l.id = j.library_id left join users u on u.id = j.requested_by
      where j.completed_at is not null order by j.completed_at desc limit ${limit})
      union all
      (select 'user:' || u.id, 'user.created', u.id, u.username, null, u.username, u.created_at
      from users u order by u.created_at desc limit ${limit})
      union all
      (select 'request:' || q.id, 'request.created', u.id, u.username, null, q.title, q.created_at
      from media_requests q join users u on u.id = q.user_id order by q.created_at desc limit ${limit})) events
    order by occurred_at desc, id limit ${limit}`)
  return rows.map(({ id, action, actorId, actorName, mediaItemId, target, occurredAt }) => {
    const actor = actorId === null || actorName === null ? null : { id: actorId, username: actorName }
    return { id, action, actor, mediaItemId, target, occurredAt }
  })
}
