import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import type { SeriesMember } from '../series-members.ts'

const MemberRow = z.strictObject({
  id: z.string(),
  type: z.enum(['season', 'episode']),
  seasonNumber: z.number().nullable(),
  episodeNumber: z.number().nullable(),
  endingEpisodeNumber: z.number().nullable(),
  airDate: z.string().nullable(),
  refreshedAt: z.date().nullable(),
})

/** The seasons and episodes of a series, also episodes directly below it; without versions, parts and extras. */
export async function selectSeriesMembers(connection: Connection, seriesId: string): Promise<SeriesMember[]> {
  const rows = await connection.any(sql.type(MemberRow)`
    select m.id, m.type, m.season_number, m.episode_number, m.ending_episode_number,
      coalesce(m.local_metadata->>'air_date', m.metadata->>'air_date') as air_date, m.metadata_refreshed_at as refreshed_at
    from media_items m
    where m.role is null and m.type in ('season', 'episode') and (
      m.parent_id = ${seriesId} or m.parent_id in (
        select s.id from media_items s where s.parent_id = ${seriesId} and s.type = 'season'))
    order by m.season_number, m.episode_number, m.id`)
  return [...rows]
}
