import type { Connection } from '../../platform/database/index.ts'
import type { SidecarWrite } from '../item/sidecar-write.ts'
import type { FileRelation } from '../item/file-relation.ts'
import type { GroupFacts } from '../item/group-write.ts'
import { groupIdentity } from '../item/group-identity.ts'
import { assignOwnersByFolder, deleteSidecars, insertSidecars, updateItemRoles } from '../queries/item-roles.ts'
import { selectGroupIds, updateGroups } from '../queries/groups.ts'

type Arrangement = {
  libraryId: string
  folders: readonly string[]
  placements: readonly FileRelation[]
  sidecars: readonly SidecarWrite[]
  groups: readonly GroupFacts[]
  now: Date
}

/**
 * Stores how the files of some folders relate to each other and which sidecars lie beside them. Replaces everything stored for these
 * folders. The files themselves must have been written before.
 * @returns paths of the sidecars whose group does not exist (yet): nothing is stored for them
 */
export async function storeFolderArrangement(connection: Connection, input: Arrangement): Promise<ReadonlySet<string>> {
  const { libraryId, folders, placements, sidecars, groups, now } = input
  const placed = placements.filter(({ role }) => role !== null)
  if (placed.length > 0) await updateItemRoles(connection, { libraryId, placements: placed })
  const owners = placed.flatMap(({ owner }) => (owner !== null && 'folder' in owner ? [owner.folder] : []))
  await assignOwnersByFolder(connection, { libraryId, folders: [...new Set([...folders, ...owners])] })
  await removeSidecars(connection, { libraryId, folders })
  if (sidecars.length > 0) await insertSidecars(connection, { libraryId, sidecars })
  if (groups.length > 0) await updateGroups(connection, { libraryId, groups, now })
  return findUnowned(connection, { libraryId, sidecars })
}

async function findUnowned(
  connection: Connection,
  { libraryId, sidecars }: Pick<Arrangement, 'libraryId' | 'sidecars'>,
): Promise<ReadonlySet<string>> {
  const owned = sidecars.flatMap(({ path, owner }) =>
    owner !== 'folder' && 'group' in owner ? [{ path, group: owner.group }] : [],
  )
  const wanted = new Map(owned.map(({ group }) => [groupIdentity(group), group]))
  const known = await selectGroupIds(connection, { libraryId, groups: [...wanted.values()] })
  return new Set(owned.filter(({ group }) => !known.has(groupIdentity(group))).map(({ path }) => path))
}

/** Deletes the sidecar records of folders. */
export async function removeSidecars(
  connection: Connection,
  { libraryId, folders }: { libraryId: string; folders: readonly string[] },
): Promise<void> {
  if (folders.length > 0) await deleteSidecars(connection, { libraryId, folders })
}
