import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'

const TitleRow = z.strictObject({
  id: z.string(),
  libraryId: z.string(),
  type: z.string(),
  name: z.string(),
  year: z.number().nullable(),
  seasonNumber: z.number().nullable(),
  episodeNumber: z.number().nullable(),
  episodeTitle: z.string().nullable(),
  parentName: z.string().nullable(),
  grandparentName: z.string().nullable(),
})

export type TitleColumns = z.infer<typeof TitleRow>

/** The columns from which titles of items are built. Unknown ids are left out. */
export async function selectTitles(connection: Connection, ids: readonly string[]): Promise<readonly TitleColumns[]> {
  return connection.any(sql.type(TitleRow)`
    select i.id, i.library_id, i.type, i.name, i.year, i.season_number, i.episode_number, i.episode_title,
      p.name as parent_name, g.name as grandparent_name
    from media_items i
    left join media_items p on p.id = i.parent_id
    left join media_items g on g.id = p.parent_id
    where i.id = any (${sql.array([...ids], 'uuid')})`)
}
