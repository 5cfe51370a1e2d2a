import type { Connection } from '../../platform/database/index.ts'
import { nameOf } from '../item/group-name.ts'
import { adoptByFolder, deleteSidecars, insertSidecars, setRoles } from '../queries/arrange.ts'
import { selectGroups, updateGroups } from '../queries/groups.ts'
import type { GroupWrite, ItemRole } from '../items/write-items.ts'

/** How a file relates to other items. `role` null: lists show the item. */
export type Placement = {
  path: string
  role: ItemRole | null
  /**
   * Absolute path of the owning file, or of the folder that contains the owning item. Null: the group of the item owns it, which is
   * stored already.
   */
  owner: { file: string } | { folder: string } | null
  label: string | null
  order: number | null
}

export type SidecarKind = 'poster' | 'backdrop' | 'logo' | 'banner' | 'thumb' | 'disc' | 'subtitle' | 'lyrics' | 'nfo'

/** A picture or subtitle file beside media, and the item that owns it. */
export type SidecarWrite = {
  path: string
  /**
   * The folder whose listing produced this entry: the folder of the media. It is above the folder of the sidecar if a film has
   * subfolders.
   */
  folder: string
  kind: SidecarKind
  sizeBytes: number
  modifiedAtNanoseconds: bigint
  details: Record<string, unknown>
  /** A media file, a group, or every listed item of `folder`. */
  owner: { file: string } | { group: GroupWrite } | 'folder'
}

/**
 * What a folder says about its group. `isFromFile` true: the facts come from a file. False: they are derived from names and count only if no
 * file of another folder describes the group.
 */
export type GroupFacts = Pick<GroupWrite, 'type' | 'key' | 'name' | 'sortTitle' | 'year'> & {
  isFromFile: boolean
  nameSource: 'file' | 'local'
  localMetadata: Record<string, unknown>
}

type Arrangement = {
  libraryId: string
  folders: readonly string[]
  placements: readonly Placement[]
  sidecars: readonly SidecarWrite[]
  groups: readonly GroupFacts[]
  now: Date
}

/**
 * Stores how the files of some folders relate to each other and which sidecars lie beside them. Replaces everything stored for these
 * folders. The files themselves must have been written before.
 * @returns paths of the sidecars whose group does not exist (yet): nothing is stored for them
 */
export async function arrangeItems(connection: Connection, input: Arrangement): Promise<ReadonlySet<string>> {
  const { libraryId, folders, placements, sidecars, groups, now } = input
  const placed = placements.filter(({ role }) => role !== null)
  if (placed.length > 0) await setRoles(connection, { libraryId, placements: placed })
  const owners = placed.flatMap(({ owner }) => (owner !== null && 'folder' in owner ? [owner.folder] : []))
  await adoptByFolder(connection, { libraryId, folders: [...new Set([...folders, ...owners])] })
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
  const wanted = new Map(owned.map(({ group }) => [nameOf(group), group]))
  const known = await selectGroups(connection, { libraryId, groups: [...wanted.values()] })
  return new Set(owned.filter(({ group }) => !known.has(nameOf(group))).map(({ path }) => path))
}

/** Deletes the sidecar records of folders. */
export async function removeSidecars(
  connection: Connection,
  { libraryId, folders }: { libraryId: string; folders: readonly string[] },
): Promise<void> {
  if (folders.length > 0) await deleteSidecars(connection, { libraryId, folders })
}
