import { extraFolderType, extraTypeOf, ownerFolderOf, type EpisodeName, type ExtraType } from '../../naming/index.ts'
import { planExtra } from './extra-video.ts'
import { byStem, foldStem, longestStem, stemOf } from './file-stem.ts'
import type { FolderView, PlannedFile } from './media-kind.ts'
import type { SeriesPlace } from './series-place.ts'

const SPECIAL_NUMBER = /(?<![a-z0-9])s0{1,2}[ ._-]?e\d/i

/**
 * In a series the words that mark extras are also titles of episodes: `S01E02 - Interview` is one, `S01E02-interview` is none. A
 * folder of extras may hold specials, which have a number for it, and in its subfolders all that has a number is an episode.
 */
export function extraTypeIn(path: string, name: string, episode: EpisodeName): ExtraType | undefined {
  const type = extraTypeOf(path)
  if (type === undefined) return undefined
  const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
  const isNumbered = episode.episodeNumber !== null || episode.airDate !== null
  if (ownerFolderOf(folder) !== folder) {
    // In the library folder it is the folder of a series: `Extras/Extras - S01E01.mkv`.
    if (ownerFolderOf(folder) === '' && isNumbered) return undefined
    if (isNumbered && extraFolderType(folder.slice(folder.lastIndexOf('/') + 1)) === undefined) return undefined
    return type === 'other' && SPECIAL_NUMBER.test(name) ? undefined : type
  }
  return isNumbered && !/[^\s-]-[a-z-]+\d{0,3}$/i.test(stemOf(name)) ? undefined : type
}

type FoundExtra = {
  name: string
  type: ExtraType
  owner: SeriesPlace | null
  files: ReadonlyMap<string, PlannedFile>
}

/** Of the episode that its name begins with, else of the season or series of its folder. */
export function planExtraOf({ pathInsideRoot }: FolderView, { name, type, owner, files }: FoundExtra): PlannedFile {
  const episode = longestStem(foldStem(stemOf(name)), byStem([...files.keys()]))
  const role = episode === undefined ? null : files.get(episode)?.role
  if (episode !== undefined && role !== undefined && role?.kind !== 'extra') {
    const of = role === null ? { file: episode } : role.of
    return planExtra({ pathInsideRoot, name, type, of, groups: [] })
  }
  const groups = owner === null ? [] : [owner.series, ...(owner.season === null ? [] : [owner.season])]
  return planExtra({ pathInsideRoot, name, type, of: 'group', groups })
}
