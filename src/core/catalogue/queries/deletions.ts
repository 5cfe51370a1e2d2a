import { sql } from 'slonik'
import type { Connection } from '../../platform/database/index.ts'
import { lockedIdsArray } from './locked-ids.ts'

/** Deletes the item with its versions, parts, extras and all descendants. False if it does not exist. */
export async function deleteItem(connection: Connection, id: string): Promise<boolean> {
  const result = await connection.query(sql.unsafe`
    with recursive below (id, depth) as (
      select id, 0 from media_items where id = ${id}
      union all select c.id, b.depth + 1 from below b join media_items c on c.parent_id = b.id where b.depth < 4)
    delete from media_items where id = any (${lockedIdsArray(sql.fragment`
      i.id in (select id from below) or i.primary_id in (select id from below)`)})`)
  return result.rowCount > 0
}

/** Deletes up to `limit` items of a library with their dependent rows. @returns the number of deleted items */
export async function deleteLibraryItems(
  connection: Connection,
  { libraryId, limit }: { libraryId: string; limit: number },
): Promise<number> {
  const result = await connection.query(sql.unsafe`
    delete from media_items where id = any (${lockedIdsArray(sql.fragment`
      i.id in (select id from media_items where library_id = ${libraryId} limit ${limit})`)})`)
  return result.rowCount
}
