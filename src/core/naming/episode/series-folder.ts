import { type NameContext } from '../numbering/episode-numbers.ts'
import { parseEpisodeReading, type EpisodeReading } from './episode-reading.ts'
import { extraTypeFromFolder } from '../video/extra-types.ts'
import { isDiscFolder, isCategoryFolder } from '../release/uninformative-names.ts'
import { type ProviderIds } from '../text/provider-ids.ts'
import { parseNumberedTitle } from '../release/release-name.ts'
import { findFirstReleaseTag } from '../release/release-tags.ts'
import { parseSeasonFolder } from '../numbering/season-folder.ts'
import { splitSeriesYear } from './series-year.ts'

/** Data from the folders above an episode. */
export type SeriesFolder = {
  /** Name of the series; null if no folder has one. */
  name: string | null
  year: number | null
  providerIds: ProviderIds
  season: number | null
  /** Whether a season folder is between, which makes the name certain. */
  isAboveSeason: boolean
  /** The nearest folder that is named as a release of a season or an episode (`Show.S01E02.720p-GRP`). */
  release: EpisodeReading | null
}

/** In a folder name a bare number belongs to the title. */
const AS_FOLDER: NameContext = {
  takesNumbers: false,
  isInside: false,
  hasSeason: true,
  seriesName: null,
  isSubtitle: false,
}

/** Depth limit, which bounds the time for untrusted paths. */
const MAX_DEPTH = 8

/**
 * Parses the folders above an episode from the nearest up to the folder that names the series: season, release, disc and extra folders are
 * skipped, and category folders (`TV Shows`) name nothing.
 * @param folders names from the library folder down, without the file
 */
export function findSeriesFolder(folders: readonly string[]): SeriesFolder {
  const found: SeriesFolder = {
    name: null,
    year: null,
    providerIds: {},
    season: null,
    isAboveSeason: false,
    release: null,
  }
  const near = folders.slice(-MAX_DEPTH)
  for (let at = near.length - 1; at >= 0; at -= 1) {
    const name = near[at] ?? ''
    if (isCategoryFolder(name)) return found
    if (takeSeason(found, name, near[at - 1] ?? '')) continue
    const reading = parseEpisodeReading(name, AS_FOLDER)
    if (reading.episode === null && reading.season === null) return { ...found, ...parseSeriesFolder(name) }
    takeRelease(found, reading)
  }
  return found
}

/** Whether a folder is one of a season, a disc or extras; stores the season. */
function takeSeason(found: SeriesFolder, name: string, parent: string): boolean {
  // `24` in the library folder or in a category folder is a series, `Show/24` a season.
  const season = parseSeasonFolder(name, parent, parent !== '' && !isCategoryFolder(parent))
  if (season === null) return isDiscFolder(name) || isReleaseWord(name) || extraTypeFromFolder(name) !== undefined
  found.season ??= season
  found.isAboveSeason = true
  return true
}

/** `1080p`, `BluRay`: a folder for a quality within a series. */
function isReleaseWord(name: string): boolean {
  return !/[ ._]/.test(name) && findFirstReleaseTag(name, 0) === 0
}

function takeRelease(found: SeriesFolder, reading: EpisodeReading): void {
  if (reading.episode === null) found.season ??= reading.season
  if (reading.episode === null && reading.seriesName === null) found.isAboveSeason = true
  else found.release ??= reading
}

/** `Naruto 101-150`: removes the range of episodes. */
function withoutRange(title: string): string {
  const [range = '', first, last] = / \(?(\d{1,4})-(\d{3,4})\)?$/.exec(title) ?? []
  const areYears = Number(first) >= 1900 && Number(last) < 2040
  return Number(first) < Number(last) && !areYears ? title.slice(0, -range.length) : title
}

/** Name, year and ids of a series folder: `Archer (2009) [tvdbid-110381]`, `The.Show.S01.COMPLETE`. */
export function parseSeriesFolder(folderName: string): {
  name: string | null
  year: number | null
  providerIds: ProviderIds
} {
  const reading = parseEpisodeReading(folderName, AS_FOLDER)
  if (reading.season !== null || reading.episode !== null) {
    return { name: reading.seriesName, year: reading.seriesYear, providerIds: reading.providerIds }
  }
  const { title, year, providerIds } = parseNumberedTitle(folderName)
  const own = withoutRange(title)
  const split = year === null ? splitSeriesYear(own) : { name: own, year }
  return { ...split, providerIds }
}
