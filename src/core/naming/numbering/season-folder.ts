import { findEpisodeMarker } from './episode-marker.ts'
import { foldTitle } from '../text/fold-title.ts'
import { normalizeName, separatorsToSpaces } from '../text/name-text.ts'
import {
  HAN_NUMBERS,
  LONG_SEASON_WORDS,
  parseNumberWord,
  ROMAN_NUMBERS,
  ROMAN_ONE,
  SEASON_WORDS,
} from '../text/number-words.ts'
import { findFirstReleaseTag } from '../release/release-tags.ts'
import { findSeasonMarker } from './season-marker.ts'
import { isSpecialsFolder } from './specials.ts'

const FOLDER_WORDS = `${SEASON_WORDS}|series|seria|serie|série|book|part|sæson|seasong`
/** `Season 2`, `Staffel 7 (2016)`, `Season1`, `Season 2 - Total Action`. */
const WORD_FIRST = new RegExp(
  String.raw`^(?:${FOLDER_WORDS})[ -]{0,3}(\d{1,4})(?!\d)(?: *\(\d{4}\)| - .{1,200}|)$`,
  'iu',
)
/** `3.Staffel`, `2nd Season`, `5-й сезон`. */
const NUMBER_FIRST = new RegExp(
  String.raw`^(\d{1,2})(?:st|nd|rd|th|[ºª°a]|-?[йяе])?[ -]{0,2}(?:${FOLDER_WORDS})(?: *\(\d{4}\))?$`,
  'iu',
)
/** `Season IV`, `Saison VII`. */
const ROMAN = new RegExp(
  String.raw`^(?:${LONG_SEASON_WORDS})[ -](${ROMAN_NUMBERS}|${ROMAN_ONE})(?: *\(\d{4}\))?$`,
  'iu',
)
/** `第二季` */
const HAN = new RegExp(String.raw`^第 ?(\d{1,2}|${HAN_NUMBERS}) ?季$`, 'u')
const LETTER = /^(?:s(?=\d{1,4}$)|t(?=\d\d$))(\d+)$/i
const NUMBER = /^\d{1,2}$/

/**
 * Returns the season number of a folder: 0 for specials, null if the folder is not a season. The series name may precede the number if the
 * parent folder has that name (`Stargate SG-1 Season 1`). A bare number is a season only if `mayBeNumber` is true. Tested with the cases of
 * Jellyfin's SeasonPathParser.
 * @param parent name of the folder above, '' at the root of the library
 * @param mayBeNumber false in libraries that hold films too (`300 Collection/2`)
 */
export function parseSeasonFolder(name: string, parent: string, mayBeNumber = true): number | null {
  const text = separatorsToSpaces(normalizeName(name)).trim()
  if (isSpecialsFolder(text) || /^extras$/i.test(text)) return 0
  const bare = withoutSeries(text, parent)
  const match = [LETTER, WORD_FIRST, NUMBER_FIRST, ROMAN, HAN]
    .map((pattern) => pattern.exec(bare))
    .find((one) => one !== null)
  const season = parseNumberWord(match?.[1])
  if (season !== null) return season
  if (mayBeNumber && NUMBER.test(text)) return Number(text)
  return bare === text ? null : releasedSeason(bare)
}

/** The rest of a name that begins with the name of the folder above. */
function withoutSeries(text: string, parent: string): string {
  const series = foldTitle(normalizeName(parent).replace(/ *[([]\d{4}[)\]].*$/, ''))
  const isOwn = series !== '' && foldTitle(text).startsWith(`${series} `)
  return isOwn ? text.slice(series.length).replace(/^[ -]+/, '') : text
}

/** `[S04][1080p PDTV]`, `Season 01 1080p`: a season with release tags and no episode. */
function releasedSeason(text: string): number | null {
  const season = findSeasonMarker(text)
  if (season === undefined || findEpisodeMarker(text) !== undefined) return null
  const rest = text.slice(season.end)
  const isAtStart = /^[ [(-]*$/.test(text.slice(0, season.start))
  return isAtStart && (/^[ \])]*$/.test(rest) || findFirstReleaseTag(rest, 0) < rest.length) ? season.season : null
}
