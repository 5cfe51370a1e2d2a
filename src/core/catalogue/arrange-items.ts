import type { Connection } from '../platform/database/index.ts'
import { clearRoles, deleteSidecars, insertSidecars, setRoles } from './queries/arrange.ts'
import type { GroupWrite, ItemRole } from './write-items.ts'

/** What a file is to others; `role` null: an item that lists show. */
export type Placement = {
  path: string
  role: ItemRole | null
  /** Absolute path of the file, or of the folder with the item, that it belongs to; null: its group, which it knows already. */
  owner: { file: string } | { folder: string } | null
  label: string | null
  order: number | null
}

export type SidecarKind = 'poster' | 'backdrop' | 'logo' | 'banner' | 'thumb' | 'disc' | 'subtitle' | 'lyrics'

/** A picture or subtitle file beside media, and whose it is. */
export type SidecarWrite = {
  path: string
  kind: SidecarKind
  sizeBytes: number
  modifiedAtNanoseconds: bigint
  details: Record<string, unknown>
  /** A media file, a group, or every listed item of the file's own folder. */
  owner: { file: string } | { group: GroupWrite } | 'folder'
}

/**
 * Says what the files of some folders are to each other, and what lies beside them; replaces what was known of these folders. Comes
 * after the files themselves have been written.
 */
export async function arrangeItems(
  connection: Connection,
  input: {
    libraryId: string
    folders: readonly string[]
    placements: readonly Placement[]
    sidecars: readonly SidecarWrite[]
  },
): Promise<void> {
  const { libraryId, folders, placements, sidecars } = input
  const listed = placements.filter(({ role }) => role === null).map(({ path }) => path)
  const placed = placements.filter(({ role }) => role !== null)
  if (listed.length > 0) await clearRoles(connection, { libraryId, paths: listed })
  if (placed.length > 0) await setRoles(connection, { libraryId, placements: placed })
  await forgetSidecars(connection, { libraryId, folders })
  if (sidecars.length > 0) await insertSidecars(connection, { libraryId, sidecars })
}

/** Forgets what lay beside media in folders. */
export async function forgetSidecars(
  connection: Connection,
  { libraryId, folders }: { libraryId: string; folders: readonly string[] },
): Promise<void> {
  if (folders.length > 0) await deleteSidecars(connection, { libraryId, folders })
}
