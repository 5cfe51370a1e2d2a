import { join } from 'node:path'
import type { Placement, SidecarWrite } from '../catalogue/index.ts'
import type { Role } from './media-kinds/media-kind.ts'
import type { SeenFolder } from './scan-event.ts'

/** What the media files of a folder are to each other. */
export function placementsOf({ root, path, plan }: SeenFolder): Placement[] {
  return [...plan.files].map(([name, { role }]) => ({
    path: `${path}/${name}`,
    role: role?.kind ?? null,
    owner: role === null ? null : ownerOf(role, { root, path }),
    label: role?.label ?? null,
    order: role?.order ?? null,
  }))
}

function ownerOf({ of }: Role, { root, path }: { root: string; path: string }): Placement['owner'] {
  if (of === 'group') return null
  return 'file' in of ? { file: `${path}/${of.file}` } : { folder: join(root, of.folderInsideRoot) }
}

/** The pictures and subtitles of a folder with whom they belong to. */
export function sidecarsOf({ path, plan, beside }: SeenFolder): SidecarWrite[] {
  return plan.beside.flatMap(({ name, kind, of, details }) => {
    const file = beside.get(name)
    if (file === undefined) return []
    const { sizeBytes, modifiedAtNanoseconds } = file
    const owner =
      of === null ? (plan.group === null ? ('folder' as const) : { group: plan.group }) : { file: `${path}/${of}` }
    return [{ path: file.path, kind, sizeBytes, modifiedAtNanoseconds, details, owner }]
  })
}
