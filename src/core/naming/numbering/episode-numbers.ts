import { findBareNumber } from './find-bare-number.ts'
import { type BareNumber } from './number-score.ts'
import { findAirDate, findShortDate, type DateMatch } from './dated-episode.ts'
import { type TextSpan } from '../release/editions.ts'
import { findDottedMarker, findEpisodeMarker, findPartMarker, type EpisodeMarker } from './episode-marker.ts'
import { foldTitle } from '../text/fold-title.ts'
import { firstWordEnd } from '../text/name-text.ts'
import { findFirstReleaseTag } from '../release/release-tags.ts'
import { findSeasonMarker, type SeasonMarker } from './season-marker.ts'
import { findSpecialMarker, findSpecialWord } from './specials.ts'

export type NameContext = {
  /** Whether bare numbers count: in files, but not in folders. */
  takesNumbers: boolean
  /** Whether the file is in a season folder or in a folder that is named after its series. */
  isInside: boolean
  /** Whether a season folder is above, so that `02-05` are two episodes; otherwise season 2 episode 5. */
  hasSeason: boolean
  /** The series name in the folder: numbers in it are not episodes (`UFC 250/UFC.250.Prelims`). */
  seriesName: string | null
  /** Whether the name is that of a subtitle file: language words at its end are not part of the title. */
  isSubtitle: boolean
}

/** All numbers of a name, with their positions. */
export type EpisodeNumbers = {
  marker: EpisodeMarker | undefined
  season: SeasonMarker | undefined
  date: DateMatch | undefined
  bare: BareNumber | undefined
  special: TextSpan | undefined
}

/** A name prepared for the search. Positions in `rest` and `text` are equal. */
export type NameParts = {
  /** The name with its dots. */
  rest: string
  /** The name with spaces for dots and underscores. */
  text: string
  /** Where the title may begin, after groups and sites. */
  from: number
  /** Whether it begins with a group name, as in anime, where numbers are absolute. */
  hasGroup: boolean
}

/** Finds the numbers of a name: a marker (`S01E02`, `4x05`, `Episode 3`), a date, a season, or else a bare number. */
export function findEpisodeNumbers(parts: NameParts, context: NameContext): EpisodeNumbers {
  const { text, from } = parts
  const date = findAirDate(text)
  const numbers: EpisodeNumbers = {
    marker: markerOf(parts, context, date),
    season: findSeasonMarker(text),
    date,
    bare: undefined,
    special: findSpecialWord(text, from),
  }
  if (numbers.marker !== undefined || !context.takesNumbers) return numbers
  if (date !== undefined || numbers.season !== undefined)
    return { ...numbers, bare: bareNumber(parts, context, numbers) }
  const short = findShortDate(parts.rest)
  const bare = bareNumber(parts, context, { ...numbers, date: short })
  return short === undefined || bare !== undefined ? { ...numbers, bare } : { ...numbers, date: short }
}

function markerOf(parts: NameParts, context: NameContext, date: DateMatch | undefined): EpisodeMarker | undefined {
  const { rest, text, from } = parts
  const words = findEpisodeMarker(text)
  if (words !== undefined && words.season !== null) return words
  const part = date === undefined ? findPartMarker(text) : undefined
  return (
    findDottedMarker(rest, context.hasSeason) ??
    words ??
    part ??
    (context.takesNumbers ? findSpecialMarker(text) : undefined) ??
    (context.hasSeason ? undefined : leadingPair(text, from))
  )
}

/** `4-12 - The Woman` */
function leadingPair(text: string, from: number): EpisodeMarker | undefined {
  const match = /^(\d{1,2})-(\d{2})(?= |$)/.exec(text.slice(from))
  if (match === null) return undefined
  return { start: from, end: from + match[0].length, season: Number(match[1]), episode: Number(match[2]), ending: null }
}

/** The score that a number needs beside a word for specials (Special The Day of the Doctor 3) or a date: a dash before it. */
const CERTAIN_SCORE = 90

function bareNumber(
  parts: NameParts,
  context: NameContext,
  { season, special, date }: EpisodeNumbers,
): BareNumber | undefined {
  const { rest, text, hasGroup } = parts
  const from = parts.from + seriesNameLength(text.slice(parts.from), context.seriesName)
  const bare = findBareNumber(rest, {
    from,
    until: Math.min(releaseStart(text, from), date?.start ?? text.length),
    taken: season,
    isExpected: hasGroup || context.isInside,
  })
  if (special === undefined && date === undefined) return bare
  if (bare === undefined || bare.start >= (date?.start ?? text.length)) return undefined
  const counts = bare.score > CERTAIN_SCORE || (date === undefined && countsSpecial(text, bare, { special, context }))
  return counts ? bare : undefined
}

/** `14 OAD`, and `01 - Special` in a season folder. */
function countsSpecial(
  text: string,
  bare: BareNumber,
  { special, context }: { special: TextSpan | undefined; context: NameContext },
): boolean {
  if (bare.isLeading && context.hasSeason) return true
  return special !== undefined && special.start >= bare.end && /^[ -]*$/.test(text.slice(bare.end, special.start))
}

/** The length of the series name at the beginning of a text; 0 if it does not begin with it. */
export function seriesNameLength(text: string, series: string | null): number {
  if (series === null || !foldTitle(text).startsWith(foldTitle(series))) return 0
  return /^[ -]/.test(text.slice(series.length)) ? series.length : 0
}

/** Where the release tags begin; tags in brackets before a number are skipped: `Title (DVD) - 02`. */
function releaseStart(text: string, from: number): number {
  const open = text.replaceAll(/\([^()]{1,40}\)(?= - \d)/g, (group) => ' '.repeat(group.length))
  return findFirstReleaseTag(open, firstWordEnd(text, from))
}
