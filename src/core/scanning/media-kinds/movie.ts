import { isExtra, parseMovieName, sortTitle } from '../../naming/index.ts'
import { mediaKindOf } from '../../platform/files/index.ts'
import type { Identification, MediaKind, PlannedFile } from './media-kind.ts'

/** Films: every video file is one, unless its name or folder makes it an extra of one; name and folder say title and year. */
export const movieKind: MediaKind = {
  fileKinds: ['video'],
  planFolder({ pathInsideRoot, names }) {
    const files = new Map<string, PlannedFile>()
    for (const name of names) {
      const path = pathInsideRoot === '' ? name : `${pathInsideRoot}/${name}`
      if (mediaKindOf(name) !== 'video' || isExtra(path)) continue
      files.set(name, { as: 'video', identification: identify(path), groups: [], role: null, sidecars: [] })
    }
    return { files, beside: [], group: null }
  },
  describe: ({ identification, groups }) => ({ identification, groups, nameSource: 'file', localMetadata: {} }),
}

function identify(pathInsideRoot: string): Identification {
  const { title, year, edition, part, providerIds } = parseMovieName(pathInsideRoot)
  const metadata: Record<string, unknown> = { title, year }
  if (edition !== null) metadata['edition'] = edition
  if (part !== null) metadata['part'] = part
  if (Object.keys(providerIds).length > 0) metadata['external_ids'] = providerIds
  return { type: 'movie', name: title, sortTitle: sortTitle(title), year, metadata }
}
