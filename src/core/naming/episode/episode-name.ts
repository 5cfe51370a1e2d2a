import { mediaFileKind } from '../../platform/files/index.ts'
import { isSpecialEpisode, resolveEpisodePosition, type EpisodePosition } from './episode-position.ts'
import { parseEpisodeReading, type EpisodeReading } from './episode-reading.ts'
import { foldTitle, normalizedTitleWords } from '../text/fold-title.ts'
import { parseLanguageWord } from '../text/language-word.ts'
import { pathSegments, withoutExtension } from '../text/name-text.ts'
import { isAbsoluteNumbering, type BareFileNumber } from '../numbering/is-absolute-numbering.ts'
import { isAbbreviatedName, isUninformativeName } from '../release/uninformative-names.ts'
import { type ProviderIds } from '../text/provider-ids.ts'
import { parseReleaseName } from '../release/release-name.ts'
import { findSeriesFolder, type SeriesFolder } from './series-folder.ts'

export type EpisodeName = EpisodePosition & {
  /** Never empty; null if neither the file nor a folder names the series. A country stays: `The Office (US)`. */
  seriesName: string | null
  seriesYear: number | null
  /** The year of a season that is numbered by year: `S2014E18`. */
  seasonYear: number | null
  /** Ids of the series, from its folder. */
  providerIds: ProviderIds
  /** Air date of a daily show, ISO 8601. */
  airDate: string | null
  episodeTitle: string | null
  /** Part number of a story in several episodes, from the end of the title: `The Fog of War Part 1`. */
  episodePart: number | null
  isSpecial: boolean
  /**
   * A key for the position with more detail than the numbers above: the series in the words of the file, letters after the number
   * (`S01E02a`), the number as written. Files of one episode have equal keys.
   */
  placeKey: string
}

/** A path parsed without its neighbours. */
export type EpisodePath = { reading: EpisodeReading; other: EpisodeReading | null; folder: SeriesFolder }

/**
 * Parses the path of an episode, relative to its library folder. The file name has priority; missing values come from the folders:
 * `Series (2001)/Season 2/05 - Title.mkv`. Never fails: a file that is not an episode has no number.
 */
export function parseEpisodePath(pathInsideRoot: string): EpisodeName {
  const path = parseRawEpisodePath(pathInsideRoot)
  return buildEpisodeName(path, isAbsoluteNumbering(absoluteNumberingCandidates(path)))
}

/** The score of a number after a dash. */
const DASH_SCORE = 95

/** The number of a path, at most one, that takes part in the decision about absolute numbering in its folder. */
export function absoluteNumberingCandidates({ reading, folder }: EpisodePath): BareFileNumber[] {
  const { bare, hasGroup, season, hasSpecialWord } = reading
  if (bare === null || hasSpecialWord) return []
  const { value, digits, score } = bare
  return [{ value, digits, hasGroup, hasDashBefore: score > DASH_SCORE, season: season ?? folder.season }]
}

/** Parses the path of an episode without deciding whether its numbers are absolute. */
export function parseRawEpisodePath(pathInsideRoot: string): EpisodePath {
  const segments = pathSegments(pathInsideRoot)
  const fileName = segments.at(-1) ?? ''
  const isSubtitle = mediaFileKind(fileName) === 'subtitle'
  const stem = isSubtitle ? withoutMark(withoutExtension(fileName)) : withoutExtension(fileName)
  const folder = findSeriesFolder(segments.slice(0, -1))
  const isInside = folder.season !== null || (folder.name !== null && folder.release === null)
  const own = parseEpisodeReading(stem, {
    takesNumbers: true,
    isInside,
    hasSeason: folder.season !== null,
    seriesName: folder.name,
    isSubtitle,
  })
  const better = betterReading(own, stem, folder)
  return { reading: better, other: better === own ? folder.release : own, folder }
}

/** Subtitle names may end with a copy number or a language: `(2)`, `(Korean)`. */
function withoutMark(stem: string): string {
  const [mark = '', word = ''] = / ?\((\d{1,2}|\p{L}{2,20})\)$/u.exec(stem) ?? []
  return /\d/.test(word) || parseLanguageWord(word) !== undefined ? stem.slice(0, stem.length - mark.length) : stem
}

/**
 * The reading of the release folder if the file name has less information: a hash, an abbreviation, a bare number where the folder has
 * season and episode.
 */
function betterReading(own: EpisodeReading, stem: string, { release }: SeriesFolder): EpisodeReading {
  if (release === null || release.episode === null) return own
  if (own.episode === null || isUninformativeName(stem, parseReleaseName(stem))) return release
  return own.season === null || (isAbbreviatedName(stem) && own.episode === release.episode) ? release : own
}

/** The name of an episode from a parsed path. @param isAbsolute whether numbers of three digits are absolute */
export function buildEpisodeName({ reading, other, folder }: EpisodePath, isAbsolute: boolean): EpisodeName {
  const numbers = resolveEpisodePosition(reading, folder.season ?? other?.season ?? null, isAbsolute)
  const series = seriesOf(reading, other, folder)
  const titled = reading.title === null && other?.episode === reading.episode ? other : reading
  return {
    seriesName: series.seriesName,
    seriesYear: series.seriesYear,
    seasonYear: yearOfSeason(numbers.seasonNumber),
    providerIds: series.providerIds,
    ...numbers,
    airDate: reading.airDate,
    episodeTitle: titled.title,
    episodePart: titled.part,
    isSpecial: isSpecialEpisode(reading, numbers),
    placeKey: placeKey(reading, numbers, series),
  }
}

function placeKey(reading: EpisodeReading, numbers: EpisodePosition, { seriesName }: Series): string {
  const { bare, airDate, letter, part, specialWord } = reading
  return [
    normalizedTitleWords(reading.seriesName ?? seriesName ?? ''),
    numbers.seasonNumber,
    numbers.episodeNumber,
    numbers.endingEpisodeNumber,
    bare?.value,
    airDate,
    letter,
    part,
    specialWord,
  ].join('\0')
}

function yearOfSeason(season: number | null): number | null {
  return season !== null && season >= 1900 && season < 2040 ? season : null
}

type Series = Pick<EpisodeName, 'seriesName' | 'seriesYear' | 'providerIds'>

/**
 * The series name of the folder if it is related to the name in the file, or if the file is in a season folder. Otherwise the name in the
 * file.
 */
function seriesOf(reading: EpisodeReading, other: EpisodeReading | null, folder: SeriesFolder): Series {
  const own = ownSeries(reading, other)
  if (!isOfFolder(own, folder)) return own
  return {
    seriesName: folder.name,
    seriesYear: folder.year ?? own.seriesYear,
    providerIds: { ...own.providerIds, ...folder.providerIds },
  }
}

/**
 * Whether the file and its folder have the same series. Ids in the folder name are certain, whatever the names of the files; a different
 * year means another series.
 */
function isOfFolder(own: Series, folder: SeriesFolder): boolean {
  if (folder.name === null) return false
  if (own.seriesName === null || folder.isAboveSeason) return true
  const hasIds = Object.keys(folder.providerIds).length > 0
  if (hasIds && own.seriesYear !== null && folder.year !== null && own.seriesYear !== folder.year) return false
  return hasIds || isRelated(own.seriesName, folder.name)
}

/** The series according to the file and its release folder. */
function ownSeries(reading: EpisodeReading, other: EpisodeReading | null): Series {
  if (other === null) return reading
  // Show.S01.1080p-GRP/grp-show.102.mkv: a file without a season also takes its series from the folder.
  const isUninformative = reading.season === null && other.season !== null && other.seriesName !== null
  return {
    seriesName:
      isUninformative || endsWithName(reading.seriesName, other.seriesName)
        ? other.seriesName
        : (reading.seriesName ?? other.seriesName),
    seriesYear: reading.seriesYear ?? other.seriesYear,
    providerIds: { ...reading.providerIds, ...other.providerIds },
  }
}

/** `Title - Show S02E06` in the release folder of `Show`. */
function endsWithName(whole: string | null, name: string | null): boolean {
  return whole !== null && name !== null && foldTitle(whole).endsWith(` - ${foldTitle(name)}`)
}

/** Whether one name begins with the other, such as `Merlin` and `merlin_2008`. */
function isRelated(one: string, other: string): boolean {
  const [short = '', long = ''] = [normalizedTitleWords(one), normalizedTitleWords(other)].toSorted(
    (a, b) => a.length - b.length,
  )
  return `${long} `.startsWith(`${short} `)
}
