import { join } from 'node:path'
import type { GroupFacts, FileRelation, SidecarWrite } from '../../catalogue/index.ts'
import type { CompanionFile, MediaKind, PlannedFolder, FileRole } from '../media-kinds/media-kind.ts'
import type { CompletedFolder } from '../job/scan-event.ts'

/** Returns the roles and owners of the media files of a folder. */
export function fileRelations({ root, path, plan }: CompletedFolder): FileRelation[] {
  return [...plan.files].map(([name, { role }]) => ({
    path: `${path}/${name}`,
    role: role?.kind ?? null,
    owner: role === null ? null : ownerOf(role, { root, path }),
    label: role?.label ?? null,
    order: role?.order ?? null,
  }))
}

function ownerOf({ of }: FileRole, { root, path }: { root: string; path: string }): FileRelation['owner'] {
  if (of === 'group') return null
  return 'file' in of ? { file: `${path}/${of.file}` } : { folder: join(root, of.folderInsideRoot) }
}

/** Returns the pictures and subtitles of a folder with their owners. */
export function folderSidecars({ path, plan, companions }: CompletedFolder): SidecarWrite[] {
  return plan.companions.flatMap(({ name, kind, of, details }) => {
    const file = companions.get(name)
    if (file === undefined) return []
    const { sizeBytes, modifiedAtNanoseconds } = file
    const owner = sidecarOwner(of, { path, plan })
    return [{ path: file.path, folder: path, kind, sizeBytes, modifiedAtNanoseconds, details, owner }]
  })
}

function sidecarOwner(
  of: CompanionFile['of'],
  { path, plan }: { path: string; plan: PlannedFolder },
): SidecarWrite['owner'] {
  if (typeof of === 'string') return { file: `${path}/${of}` }
  const group = of?.group ?? plan.group
  return group === null ? 'folder' : { group }
}

/** Returns the facts of a folder's group, from a file in the folder or from the folder's name. */
export function folderGroupFacts(kind: MediaKind, { plan, local }: CompletedFolder): GroupFacts[] {
  const { group } = plan
  if (group === null || kind.describeGroup === undefined) return []
  const { type, key } = group
  const described = kind.describeGroup(group, local)
  return [{ type, key, isFromFile: Object.keys(described.localMetadata).length > 0, ...described }]
}
