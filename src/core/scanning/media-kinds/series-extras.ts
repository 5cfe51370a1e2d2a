import {
  extraTypeFromFolder,
  detectExtraType,
  findExtrasOwnerFolder,
  type EpisodeName,
  type ExtraType,
} from '../../naming/index.ts'
import { planExtra } from './extra-video.ts'
import { groupFilesByStem, normalizeStem, findLongestStemPrefix, fileStem } from './file-stem.ts'
import type { FolderContents, PlannedFile } from './media-kind.ts'
import type { SeriesLocation } from './series-location.ts'

const SPECIAL_NUMBER = /(?<![a-z0-9])s0{1,2}[ ._-]?e\d/i

/**
 * Returns the type of an extra in a series, or undefined for an episode. The words that mark extras also occur in titles of episodes:
 * `S01E02 - Interview` is an episode, `S01E02-interview` is not. In a folder of extras, files with the number of a special are episodes,
 * and in its subfolders all numbered files are.
 */
export function seriesExtraType(path: string, name: string, episode: EpisodeName): ExtraType | undefined {
  const type = detectExtraType(path)
  if (type === undefined) return undefined
  const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
  const isNumbered = episode.episodeNumber !== null || episode.airDate !== null
  if (findExtrasOwnerFolder(folder) !== folder) {
    // In the library folder it is the folder of a series: `Extras/Extras - S01E01.mkv`.
    if (findExtrasOwnerFolder(folder) === '' && isNumbered) return undefined
    if (isNumbered && extraTypeFromFolder(folder.slice(folder.lastIndexOf('/') + 1)) === undefined) return undefined
    return type === 'other' && SPECIAL_NUMBER.test(name) ? undefined : type
  }
  return isNumbered && !/[^\s-]-[a-z-]+\d{0,3}$/i.test(fileStem(name)) ? undefined : type
}

type FoundExtra = {
  name: string
  type: ExtraType
  owner: SeriesLocation | null
  files: ReadonlyMap<string, PlannedFile>
}

/** Plans an extra of the episode with the longest matching name, else of the season or series of its folder. */
export function planSeriesExtra(
  { pathInsideRoot }: FolderContents,
  { name, type, owner, files }: FoundExtra,
): PlannedFile {
  const episode = findLongestStemPrefix(normalizeStem(fileStem(name)), groupFilesByStem([...files.keys()]))
  const role = episode === undefined ? null : files.get(episode)?.role
  if (episode !== undefined && role !== undefined && role?.kind !== 'extra') {
    const of = role === null ? { file: episode } : role.of
    return planExtra({ pathInsideRoot, name, type, of, groups: [] })
  }
  const groups = owner === null ? [] : [owner.series, ...(owner.season === null ? [] : [owner.season])]
  return planExtra({ pathInsideRoot, name, type, of: 'group', groups })
}
