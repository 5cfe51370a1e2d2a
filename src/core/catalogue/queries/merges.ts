import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { MEDIA_ITEM_TYPES } from '../media-item.ts'

const MergedRow = z.strictObject({
  id: z.string(),
  libraryId: z.string(),
  type: z.enum(MEDIA_ITEM_TYPES),
  isListed: z.boolean(),
})

/** In the order in which everybody locks items; ids that no item has are left out. */
export async function lockForMerge(
  connection: Connection,
  ids: readonly string[],
): Promise<readonly z.infer<typeof MergedRow>[]> {
  return connection.any(sql.type(MergedRow)`
    select id, library_id, type, role is null as is_listed from media_items
    where id = any (${sql.array([...ids], 'uuid')}) order by id for update`)
}

/** A trigger makes versions of them. */
export async function setMergedInto(
  connection: Connection,
  { keptId, ids, now }: { keptId: string; ids: readonly string[]; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items set merged_into = ${keptId}, updated_at = ${sql.timestamp(now)}
    where id = any (${sql.array([...ids], 'uuid')})`)
}

/**
 * What was merged into an item that has become a version itself belongs to that one's item now, and stands where it stands; versions and
 * extras of what was merged belong to what lists show. Parts stay: they are parts of that one file.
 * @returns how many versions and extras have another owner now
 */
export async function alignMerged(connection: Connection, libraryId: string): Promise<number> {
  await connection.query(sql.unsafe`
    update media_items m set merged_into = k.primary_id from media_items k
    where m.library_id = ${libraryId} and m.merged_into = k.id and k.role in ('version', 'part')
      and k.primary_id is not null and k.primary_id <> m.id`)
  await connection.query(sql.unsafe`
    update media_items m set parent_id = k.parent_id from media_items k
    where m.library_id = ${libraryId} and m.merged_into = k.id and m.parent_id is distinct from k.parent_id`)
  const { rowCount } = await connection.query(sql.unsafe`
    update media_items i set primary_id = m.merged_into from media_items m
    where i.library_id = ${libraryId} and i.primary_id = m.id and m.merged_into is not null and m.merged_into <> i.id
      and i.merged_into is null and i.role in ('version', 'extra')`)
  return rowCount
}
