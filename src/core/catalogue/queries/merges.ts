import { sql } from 'slonik'
import { z } from 'zod'
import type { Connection } from '../../platform/database/index.ts'
import { MEDIA_ITEM_TYPES } from '../item/media-item.ts'

// Manual merges. `merged_into` is the item that is listed in place of this one. `merged_until_found` marks a kept item whose file is
// missing: its `merged_into` is the substitute that is listed until the file returns.

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
    update media_items merged set parent_id = kept.parent_id from media_items kept
    where merged.library_id = ${libraryId} and merged.merged_into = kept.id and not merged.merged_until_found
      and merged.parent_id is distinct from kept.parent_id`)
  const { rowCount } = await connection.query(sql.unsafe`
    update media_items item set primary_id = merged.merged_into from media_items merged
    where item.library_id = ${libraryId} and item.primary_id = merged.id and merged.merged_into <> item.id
      and item.merged_into is null and item.role in ('version', 'extra')`)
  return rowCount
}

/**
 * Breaks cycles. A cycle exists if file names make the kept item a version (also indirectly) of an item that was merged into it. Lists
 * would then show neither. The manual merge takes precedence over names.
 */
async function breakCycles(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    with recursive owners as (
      select kept.id as kept_id, kept.primary_id as id from media_items kept
      where kept.library_id = ${libraryId} and kept.merged_into is null and kept.primary_id is not null
        and exists (select from media_items merged where merged.merged_into = kept.id)
      union
      select owners.kept_id, owner.primary_id from owners join media_items owner on owner.id = owners.id
      where owner.primary_id is not null and owner.id <> owners.kept_id)
    update media_items kept set role = null, primary_id = null, role_label = null, role_order = null, owner_folder_hash = null
    where kept.id in (
      select owners.kept_id from owners
      join media_items merged on merged.id = owners.id and merged.merged_into = owners.kept_id)`)
}

/**
 * If a scan has made the kept item a version of another item, its merged items move to that item. If it has become a part or an extra, it
 * is no longer the same film, and its merged items are released.
 */
async function followKeptOwner(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items merged set merged_into = kept.primary_id, merged_until_found = false from media_items kept
    where merged.library_id = ${libraryId} and merged.merged_into = kept.id and kept.role = 'version'
      and kept.primary_id is not null and kept.primary_id <> merged.id`)
  await connection.query(sql.unsafe`
    update media_items merged set merged_into = null from media_items kept
    where merged.library_id = ${libraryId} and merged.merged_into = kept.id and kept.role in ('part', 'extra')`)
}

/** Lists a kept item again when its file has returned, instead of the item that replaced it. */
async function restoreFound(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items item set merged_into = case when item.id <> returned.id then returned.id end
    from (
      select id, merged_into as substitute_id from media_items
      where library_id = ${libraryId} and merged_into is not null and merged_until_found and missing_since is null) returned
    where item.id in (returned.id, returned.substitute_id) or item.merged_into = returned.substitute_id`)
}

/**
 * A kept item whose file is missing cannot be played: the largest of its present merged versions is listed until the file returns. Only one
 * item waits: if the kept item is itself a substitute, the item that it replaced goes on waiting, and the kept item does not.
 */
async function replaceMissing(connection: Connection, libraryId: string): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items item set merged_into = case when item.id <> substitute.id then substitute.id end,
      merged_until_found = item.merged_until_found or (item.id = substitute.kept_id and not substitute.has_waiting)
    from (
      select distinct on (kept.id) kept.id as kept_id, merged.id,
        exists (select from media_items waiting where waiting.merged_into = kept.id and waiting.merged_until_found) as has_waiting
      from media_items kept join media_items merged on merged.merged_into = kept.id and merged.missing_since is null
      where kept.library_id = ${libraryId} and merged.library_id = kept.library_id and kept.role is null
        and kept.missing_since is not null
      order by kept.id, merged.size_bytes desc, merged.id) substitute
    where item.id = substitute.kept_id or item.merged_into = substitute.kept_id`)
}
