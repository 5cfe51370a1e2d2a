import { sql, type FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { IdRow, type Connection } from '../../platform/database/index.ts'
import { lockedIdsArray } from './locked-ids.ts'

const FolderHashRow = z.strictObject({ folderHash: z.instanceof(Buffer) })

/**
 * Runs in the transaction of the caller. The row of a missing file takes over everything that depends on the location of the file, as a
 * scan would have written it. The row at the new path is deleted first, because paths are unique.
 */
export async function moveItem(
  connection: Connection,
  { missingId, foundId, now }: { missingId: string; foundId: string; now: Date },
): Promise<void> {
  await inheritReferences(connection, { fromId: foundId, toId: missingId })
  await connection.query(sql.unsafe`
    with found as (delete from media_items where id = ${foundId} returning *)
    update media_items i set path = found.path, path_hash = found.path_hash, folder_hash = found.folder_hash,
      modified_ns = found.modified_ns, missing_since = null, updated_at = ${sql.timestamp(now)},
      parent_id = found.parent_id, primary_id = found.primary_id, role = found.role, role_label = found.role_label,
      role_order = found.role_order, owner_folder_hash = found.owner_folder_hash, season_number = found.season_number,
      episode_number = found.episode_number, ending_episode_number = found.ending_episode_number,
      episode_title = coalesce(found.episode_title, i.episode_title), local_metadata = found.local_metadata,
      sidecar_hash = found.sidecar_hash, ${namesOfPlace(sql.fragment`found`)}
    from found where i.id = ${missingId}`)
}

/**
 * Locks two groups of one type if the kept group may absorb the new one: the kept group has no present member, and the new group was added
 * at or after `since`. Returns false otherwise.
 */
export async function lockMergeableGroups(
  connection: Connection,
  { keptId, newId, since }: { keptId: string; newId: string; since: Date },
): Promise<boolean> {
  return connection.exists(sql.unsafe`
    select 1 from media_items kept join media_items fresh on fresh.library_id = kept.library_id and fresh.type = kept.type
    where kept.id = ${keptId} and fresh.id = ${newId} and kept.id <> fresh.id
      and kept.group_key is not null and fresh.group_key is not null and fresh.added_at >= ${sql.timestamp(since)}
      and not exists (
        select 1 from media_items m where (m.parent_id = kept.id or m.primary_id = kept.id) and (
          (m.path is not null and m.missing_since is null)
          or (m.path is null and exists (select 1 from media_items n where n.parent_id = m.id and n.missing_since is null))))
    for update of kept, fresh`)
}

/**
 * Runs in the transaction of the caller. The kept group takes over key, parent, members and pictures of the new group. The new group is
 * deleted.
 */
export async function mergeGroupRows(
  connection: Connection,
  { keptId, newId, now }: { keptId: string; newId: string; now: Date },
): Promise<void> {
  await inheritReferences(connection, { fromId: newId, toId: keptId })
  await connection.query(sql.unsafe`
    with fresh as (delete from media_items where id = ${newId} returning *)
    update media_items i set group_key = fresh.group_key, parent_id = fresh.parent_id, season_number = fresh.season_number,
      local_metadata = fresh.local_metadata, updated_at = ${sql.timestamp(now)}, ${namesOfPlace(sql.fragment`fresh`)}
    from fresh where i.id = ${keptId}`)
}

/** Deletes the groups without members. Returns their number, and the hashes of the folders that described them. */
export async function deleteEmptyGroups(
  connection: Connection,
  libraryId: string,
): Promise<{ count: number; folderHashes: Buffer[] }> {
  const empty = await connection.anyFirst(sql.type(IdRow)`
    select g.id from media_items g
    where g.library_id = ${libraryId} and g.group_key is not null
      and not exists (select 1 from media_items m where m.parent_id = g.id or m.primary_id = g.id)`)
  if (empty.length === 0) return { count: 0, folderHashes: [] }
  const ids = sql.array([...empty], 'uuid')
  const hashes = await connection.anyFirst(sql.type(FolderHashRow)`
    select distinct folder_hash from item_sidecars where media_item_id = any (${ids})`)
  const result = await connection.query(sql.unsafe`
    delete from media_items where id = any (${lockedIdsArray(sql.fragment`i.id = any (${ids})`)})`)
  return { count: result.rowCount, folderHashes: [...hashes] }
}

/** Moves everything that references a row to another row before the first is deleted: members, versions, parts, extras and sidecars. */
export async function inheritReferences(
  connection: Connection,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await connection.query(sql.unsafe`delete from item_sidecars where media_item_id = ${toId}`)
  await connection.query(sql.unsafe`update item_sidecars set media_item_id = ${toId} where media_item_id = ${fromId}`)
  await connection.query(sql.unsafe`
    update media_items set parent_id = ${toId} where parent_id = ${fromId} and id <> ${toId}`)
  await connection.query(sql.unsafe`
    update media_items set primary_id = ${toId}, merged_into = case when merged_into is not null then ${toId}::uuid end
    where primary_id = ${fromId} and id <> ${toId}`)
}

/**
 * SQL assignments that give row `i` the names of the row whose location it takes over. A name from a metadata provider is kept, unless tags
 * or an NFO at the new location set one.
 */
function namesOfPlace(place: FragmentSqlToken): FragmentSqlToken {
  const isKept = sql.fragment`i.name_source = 'provider' and ${place}.name_source <> 'local'`
  return sql.fragment`
    name = case when ${isKept} then i.name else ${place}.name end,
    sort_title = case when ${isKept} then i.sort_title else ${place}.sort_title end,
    year = case when ${isKept} then i.year else ${place}.year end,
    name_source = case when ${isKept} then i.name_source else ${place}.name_source end,
    metadata = case when ${isKept} then ${place}.metadata || i.metadata else i.metadata || ${place}.metadata end`
}
