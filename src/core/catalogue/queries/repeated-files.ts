import { sql } from 'slonik'
import { z } from 'zod'
import { CountRow, type Connection } from '../../platform/database/index.ts'
import { inheritReferences } from './move-items.ts'

const RepeatedFileRow = z.strictObject({ libraryId: z.string(), path: z.string(), ids: z.array(z.string()) })

/** The rows of one file in one library, the first added one first. */
export type RepeatedFile = z.infer<typeof RepeatedFileRow>

/** Reads all rows: without the unique key there may be no index to use. */
export async function selectRepeatedFiles(db: Connection, limit: number): Promise<readonly RepeatedFile[]> {
  return db.any(sql.type(RepeatedFileRow)`
    select library_id, min(path) as path, array_agg(id order by added_at, id) as ids
    from media_items where path_hash is not null
    group by library_id, path_hash having count(*) > 1
    order by library_id, path_hash limit ${limit}`)
}

/** The number of rows beyond the first one of each file. */
export async function countRepeatedFiles(db: Connection): Promise<number> {
  return db.oneFirst(sql.type(CountRow)`
    select coalesce(sum(rows - 1), 0)::bigint as count from (
      select count(*) as rows from media_items where path_hash is not null
      group by library_id, path_hash having count(*) > 1) r`)
}

/** Deletes a row of a file after the rows that refer to it have been given to another row of the same file. */
export async function deleteRepeatedFile(
  connection: Connection,
  move: { fromId: string; toId: string },
): Promise<void> {
  await inheritReferences(connection, move)
  await connection.query(sql.unsafe`delete from media_items where id = ${move.fromId}`)
}
