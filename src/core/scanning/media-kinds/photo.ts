import { mediaFileKind } from '../../platform/files/index.ts'
import type { MediaKind, PlannedFile, FileRole } from './media-kind.ts'
import { photoCompanions } from './photo-companions.ts'

/**
 * Photos: every picture is an item of type `image` under its file name, in any folder; videos among them are of type `video`. Companions
 * of a picture, its raw file and the video of a live photo, are omitted from lists.
 */
export const photoKind: MediaKind = {
  fileKinds: ['photo', 'video'],
  planFolder({ names }) {
    const companions = photoCompanions(names)
    const files = new Map<string, PlannedFile>()
    for (const name of names) {
      const kind = mediaFileKind(name)
      if (kind === 'photo' || kind === 'video') files.set(name, plannedFile(name, kind, companions.get(name) ?? null))
    }
    return { files, companions: [], group: null }
  },
  describe({ identification, groups }, facts) {
    const photo = facts?.photo
    const year = photo === undefined ? null : Number(photo.taken.local.slice(0, 4))
    const description = photo?.description ?? null
    return {
      identification: { ...identification, year },
      groups,
      nameSource: 'file',
      localMetadata: description === null ? {} : { overview: description },
    }
  },
}

function plannedFile(name: string, kind: 'photo' | 'video', role: FileRole | null): PlannedFile {
  const type = kind === 'photo' ? ('image' as const) : ('video' as const)
  const identification = { type, name, sortTitle: name, year: null, metadata: { title: name } }
  return { as: kind, identification, groups: [], role, sidecars: [] }
}
