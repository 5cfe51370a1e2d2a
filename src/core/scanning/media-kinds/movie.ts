import { isExtra, parseMovieName, sortTitle } from '../../naming/index.ts'
import type { MediaKind } from './media-kind.ts'

/** Films: every video file is one, unless its name or folder makes it an extra of one; name and folder say title and year. */
export const movieKind: MediaKind = {
  fileKinds: ['video'],
  isItem: (pathInsideRoot) => !isExtra(pathInsideRoot),
  identify(pathInsideRoot) {
    const { title, year, edition, part, providerIds } = parseMovieName(pathInsideRoot)
    const metadata: Record<string, unknown> = { title, year }
    if (edition !== null) metadata['edition'] = edition
    if (part !== null) metadata['part'] = part
    if (Object.keys(providerIds).length > 0) metadata['external_ids'] = providerIds
    return { type: 'movie', name: title, sortTitle: sortTitle(title), year, metadata }
  },
}
