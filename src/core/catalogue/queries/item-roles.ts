import { sql } from 'slonik'
import type { SidecarWrite } from '../item/sidecar-write.ts'
import type { FileRelation } from '../item/file-relation.ts'
import type { Connection } from '../../platform/database/index.ts'
import { pathHash } from '../item/path-hash.ts'
import { postgresSafeJson, postgresSafeText } from '../item/postgres-safe.ts'

/**
 * Sets the roles of items. If the owner does not exist (yet), the row has none; lists omit it in either case. Items that belong to the
 * film of a folder get their owner from `assignOwnersByFolder`.
 */
export async function updateItemRoles(
  connection: Connection,
  { libraryId, placements }: { libraryId: string; placements: readonly FileRelation[] },
): Promise<void> {
  const rows = placements.map(({ path, role, owner, label, order }) => [
    pathHash(path),
    role,
    owner !== null && 'file' in owner ? pathHash(owner.file) : null,
    owner !== null && 'folder' in owner ? pathHash(owner.folder) : null,
    label === null ? null : postgresSafeText(label),
    order,
  ])
  await connection.query(sql.unsafe`
    update media_items i set role = v.role, role_label = v.label, role_order = v.position,
      parent_id = case when v.owner_file is null and v.owner_folder is null then i.parent_id end,
      primary_id = case
        when v.owner_file is not null then (
          select o.id from media_items o where o.library_id = i.library_id and o.path_hash = v.owner_file and o.id <> i.id)
        when v.owner_folder is null then i.primary_id end,
      owner_folder_hash = v.owner_folder
    from ${sql.unnest(rows, ['bytea', 'text', 'bytea', 'bytea', 'text', 'int4'])}
      as v (path_hash, role, owner_file, owner_folder, label, position)
    where i.library_id = ${libraryId} and i.path_hash = v.path_hash`)
}

/**
 * Assigns items that belong to the film of a folder to that film. If the folder has several films, the owner is ambiguous and stays null.
 */
export async function assignOwnersByFolder(
  connection: Connection,
  { libraryId, folders }: { libraryId: string; folders: readonly string[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    update media_items i set primary_id = owner.id
    from (
      select folder_hash, case when count(*) filter (where missing_since is null) <= 1 then
        (array_agg(id order by missing_since nulls first, sort_key, id))[1] end as id
      from media_items
      where library_id = ${libraryId} and folder_hash = any (${sql.array(folders.map(pathHash), 'bytea')}) and role is null
      group by folder_hash
    ) owner
    where i.library_id = ${libraryId} and i.owner_folder_hash = owner.folder_hash and i.primary_id is distinct from owner.id`)
}

export async function deleteSidecars(
  connection: Connection,
  { libraryId, folders }: { libraryId: string; folders: readonly string[] },
): Promise<void> {
  await connection.query(sql.unsafe`
    delete from item_sidecars
    where library_id = ${libraryId} and folder_hash = any (${sql.array(folders.map(pathHash), 'bytea')})`)
}

export async function insertSidecars(
  connection: Connection,
  { libraryId, sidecars }: { libraryId: string; sidecars: readonly SidecarWrite[] },
): Promise<void> {
  const rows = sidecars.map(({ path, folder, kind, sizeBytes, modifiedAtNanoseconds, details, owner }) => [
    pathHash(path),
    pathHash(folder),
    kind,
    postgresSafeText(path),
    sizeBytes,
    modifiedAtNanoseconds,
    postgresSafeJson(details),
    owner !== 'folder' && 'file' in owner ? pathHash(owner.file) : null,
    owner !== 'folder' && 'group' in owner ? owner.group.type : null,
    owner !== 'folder' && 'group' in owner ? postgresSafeText(owner.group.key) : null,
  ])
  const types = ['bytea', 'bytea', 'text', 'text', 'int8', 'int8', 'jsonb', 'bytea', 'text', 'text'] as const
  await connection.query(sql.unsafe`
    insert into item_sidecars (media_item_id, library_id, path_hash, folder_hash, kind, path, size_bytes, modified_ns, details)
    select i.id, ${libraryId}::uuid, v.path_hash, v.folder_hash, v.kind, v.path, v.size_bytes, v.modified_ns, v.details
    from ${sql.unnest(rows, [...types])} as v (path_hash, folder_hash, kind, path, size_bytes, modified_ns, details,
      owner_file, group_type, group_key)
    join media_items i on i.library_id = ${libraryId} and case
      when v.owner_file is not null then i.path_hash = v.owner_file
      when v.group_key is not null then i.type = v.group_type and i.group_key = v.group_key
      else i.folder_hash = v.folder_hash and i.role is null end
    on conflict (media_item_id, path_hash) do nothing`)
}
