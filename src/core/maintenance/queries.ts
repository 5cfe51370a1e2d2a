import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../platform/database/index.ts'

const LibraryUserRow = z.strictObject({ username: z.string(), itemCount: z.number() })

/** A user with data about the items of a library. */
export type LibraryUser = z.infer<typeof LibraryUserRow>

/** A read-only report over the tables of three domains. */
export async function selectUsersWithData(connection: Connection, libraryId: string): Promise<LibraryUser[]> {
  const rows = await connection.any(sql.type(LibraryUserRow)`
    select u.username, count(distinct said.media_item_id) as item_count
    from (
      select s.profile_id, s.media_item_id from user_items s
      union select s.profile_id, s.media_item_id from playback_states s
      union select s.profile_id, s.media_item_id from playback_records s
      union select s.profile_id, s.media_item_id from audiobook_progress s
    ) said
    join media_items i on i.id = said.media_item_id
    join profiles r on r.id = said.profile_id
    join users u on u.id = r.account_id
    where i.library_id = ${libraryId}
    group by u.id, u.username order by u.username, u.id`)
  return [...rows]
}
