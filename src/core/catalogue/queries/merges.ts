import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { MEDIA_ITEM_TYPES } from '../item/media-item.ts'

const MergedRow = z.strictObject({
  id: z.string(),
  libraryId: z.string(),
  type: z.enum(MEDIA_ITEM_TYPES),
  isListed: z.boolean(),
})

/** Locks items in the common lock order. Unknown ids are ignored. */
export async function lockForMerge(
  connection: Connection,
  ids: readonly string[],
): Promise<readonly z.infer<typeof MergedRow>[]> {
  return connection.any(sql.type(MergedRow)`
    select id, library_id, type, role is null as is_listed from media_items
    where id = any (${sql.array([...ids], 'uuid')}) order by id for update`)
}

/**
 * Merges items into the kept one; a trigger gives them the role `version`. An item that waits for its missing file is no longer listed
 * again when the file returns: this merge is the newer decision.
 */
export async function setMergedInto(
  connection: Connection,
  { keptId, ids, now }: { keptId: string; ids: readonly string[]; now: Date },
): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items set merged_until_found = false
    where merged_into = any (${sql.array([keptId, ...ids], 'uuid')}) and merged_until_found`)
  await connection.query(sql.unsafe`
    update media_items set merged_into = ${keptId}, updated_at = ${sql.timestamp(now)}
    where id = any (${sql.array([...ids], 'uuid')})`)
}

/**
 * Applies the manual merges of a library again, after a scan has assigned roles by file name. One item of each merge is listed: the kept
 * item, or a merged one while the file of the kept item is missing. Versions and extras of merged items belong to the listed item. Parts
 * stay with the file that they continue.
 * @returns the number of versions and extras whose owner changed
 */
export async function reapplyManualMerges(connection: Connection, libraryId: string): Promise<number> {
  await breakCycles(connection, libraryId)
  await followKeptOwner(connection, libraryId)
  await restoreFound(connection, libraryId)
  await replaceMissing(connection, libraryId)
  await connection.query(sql.unsafe`
    update media_items m set parent_id = k.parent_id from media_items k
    where m.library_id = ${libraryId} and m.merged_into = k.id and not m.merged_until_found
      and m.parent_id is distinct from k.parent_id`)
  const { rowCount } = await connection.query(sql.unsafe`
    update media_items i set primary_id = m.merged_into from media_items m
    where i.library_id = ${libraryId} and i.primary_id = m.id and m.merged_into is not null and m.merged_into <> i.id
      and i.merged_into is null and i.role in ('version', 'extra')`)
  return rowCount
}

/**
 * Breaks cycles. A cycle exists if file names make the kept item a version (also indirectly) of an item that was merged into it. Lists
 * would then show neither. The manual merge takes precedence over names.
 */
async function breakCycles(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    with recursive owners as (
      select k.id as kept_id, k.primary_id as id from media_items k
      where k.library_id = ${libraryId} and k.merged_into is null and k.primary_id is not null
        and exists (select from media_items m where m.merged_into = k.id)
      union
      select owners.kept_id, o.primary_id from owners join media_items o on o.id = owners.id
      where o.primary_id is not null and o.id <> owners.kept_id)
    update media_items k set role = null, primary_id = null, role_label = null, role_order = null, owner_folder_hash = null
    where k.id in (
      select owners.kept_id from owners join media_items m on m.id = owners.id and m.merged_into = owners.kept_id)`)
}

/**
 * If a scan has made the kept item a version of another item, its merged items move to that item. If it has become a part or an extra, it
 * is no longer the same film, and its merged items are released.
 */
async function followKeptOwner(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items m set merged_into = k.primary_id, merged_until_found = false from media_items k
    where m.library_id = ${libraryId} and m.merged_into = k.id and k.role = 'version'
      and k.primary_id is not null and k.primary_id <> m.id`)
  await connection.query(sql.unsafe`
    update media_items m set merged_into = null from media_items k
    where m.library_id = ${libraryId} and m.merged_into = k.id and k.role in ('part', 'extra')`)
}

/** Lists a kept item again when its file has returned, instead of the item that replaced it. */
async function restoreFound(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items i set merged_into = case when i.id <> found.id then found.id end
    from (
      select id, merged_into as listed_id from media_items
      where library_id = ${libraryId} and merged_into is not null and merged_until_found and missing_since is null) found
    where i.id in (found.id, found.listed_id) or i.merged_into = found.listed_id`)
}

/** A kept item whose file is missing cannot be played: the largest of its present merged versions is listed until the file returns. */
async function replaceMissing(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items i set merged_into = case when i.id <> successor.id then successor.id end,
      merged_until_found = i.merged_until_found or i.id = successor.kept_id and not successor.has_waiting
    from (
      select distinct on (k.id) k.id as kept_id, m.id,
        exists (select from media_items o where o.merged_into = k.id and o.merged_until_found) as has_waiting
      from media_items k join media_items m on m.merged_into = k.id and m.merged_into is not null and m.missing_since is null
      where k.library_id = ${libraryId} and m.library_id = k.library_id and k.role is null and k.missing_since is not null
      order by k.id, m.size_bytes desc, m.id) successor
    where i.id = successor.kept_id or i.merged_into = successor.kept_id`)
}
