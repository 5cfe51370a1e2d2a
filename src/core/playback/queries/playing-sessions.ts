import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { StateRow } from './playback-states.ts'

const PlayingRow = StateRow.extend({
  accountId: z.string(),
  username: z.string(),
  profileName: z.string().nullable(),
  deviceName: z.string().nullable(),
  deviceType: z.string().nullable(),
})

/** The sessions of all active users with a report on their last item since a time that have not stopped; newest first. */
export async function selectPlayingSessions(
  connection: Connection,
  { since, limit }: { since: Date; limit: number },
): Promise<z.infer<typeof PlayingRow>[]> {
  const rows = await connection.any(sql.type(PlayingRow)`
    select p.id as session_id, u.id as account_id, u.username, case when not r.is_main then r.name end as profile_name, p.device_name, p.device_type,
      s.media_item_id, s.status, s.position_ticks, s.duration_ticks, s.started_at, s.updated_at
    from playback_sessions p
    join playback_states s on s.session_id = p.id and s.media_item_id = p.last_item_id
    join profiles r on r.id = p.profile_id join users u on u.id = r.account_id
    where p.ended_at is null and p.updated_at > ${sql.timestamp(since)}
      and s.updated_at > ${sql.timestamp(since)} and s.status <> 'stopped' and u.status = 'active'
    order by s.updated_at desc, p.id limit ${limit}`)
  return [...rows]
}
