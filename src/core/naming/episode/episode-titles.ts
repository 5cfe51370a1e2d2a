import { bracketedTitle } from '../text/bracketed-name.ts'
import { type TextSpan } from '../release/editions.ts'
import {
  seriesNameLength,
  type EpisodeNumbers,
  type NameParts,
  type NameContext,
} from '../numbering/episode-numbers.ts'
import { firstWordEnd, hasLetterOrDigit } from '../text/name-text.ts'
import { parseReleaseName } from '../release/release-name.ts'
import { findFirstReleaseTag, hasUnusualCapitals, isTrailingNoise } from '../release/release-tags.ts'
import { findSeasonMarker } from '../numbering/season-marker.ts'
import { extractTitle, trimTitleRegion } from '../release/title-region.ts'

export type EpisodeTitles = { name: string; title: string; year: number | null }

/** The series name before the first number, and the episode title after the last. */
export function episodeTitles(region: NameParts, found: EpisodeNumbers, context: NameContext): EpisodeTitles {
  const { rest, text, from } = region
  const numbers = [found.marker ?? found.season, found.date, found.bare].filter((mark) => mark !== undefined)
  const marks = numbers.length > 0 ? numbers : specialMark(text, from, found.special)
  const tag = findFirstReleaseTag(text, firstWordEnd(text, from))
  if (marks.length === 0) {
    const { title, year } = parseReleaseName(rest)
    const own = extractTitle(title.slice(seriesNameLength(title, context.seriesName)))
    return context.isInside ? { name: '', title: own, year } : { name: title, title: '', year }
  }
  const first = Math.min(...[...marks, found.season ?? []].flat().map(({ start }) => start))
  const name = bracketedName(region, found) ?? nameBefore(region, first, tag)
  const after = titleAfterNumbers(region, {
    first,
    ...titleBounds(text, marks, found.date),
    isSubtitle: context.isSubtitle,
  })
  if (hasLetterOrDigit(name) || context.isInside || found.bare === undefined) return { name, ...after }
  const [series = '', ...others] = after.title.split(' - ')
  return { name: series, title: others.join(' - '), year: after.year }
}

/** After the last number; or between number and date, if there are words: `S02E02 - Title (14-01-2008)`. */
function titleBounds(text: string, marks: TextSpan[], date: TextSpan | undefined): { last: number; limit: number } {
  const last = Math.max(...marks.map(({ end }) => end))
  const number = Math.max(...marks.filter((mark) => mark !== date).map(({ end }) => end))
  const isBetween =
    date !== undefined && number >= 0 && number < date.start && /\p{L}/u.test(text.slice(number, date.start))
  return isBetween ? { last: number, limit: date.start } : { last, limit: text.length }
}

/** For a special without a number: its year, or else the word, ends the series name. */
function specialMark(text: string, from: number, special: TextSpan | undefined): TextSpan[] {
  if (special === undefined || special.start <= from) return []
  const year = /(?<=[\p{L}\p{N}] )(?:19|20)\d\d(?= )/u.exec(text.slice(from, special.start))
  return year === null ? [special] : [{ start: from + year.index + 4, end: from + year.index + 4 }]
}

/** In names of brackets the title may follow the bracket with the season: `[標題 第3季][Title][01]`. */
function bracketedName({ rest, from }: NameParts, { marker, date, bare }: EpisodeNumbers): string | undefined {
  const starts = [marker, date, bare].flatMap((mark) => mark?.start ?? [])
  const name = starts.length === 0 ? undefined : bracketedTitle(rest.slice(from, Math.min(...starts)))
  return name === undefined || findSeasonMarker(name) !== undefined ? undefined : name
}

/** The series name, up to the first number or the first release tag. */
function nameBefore({ rest, from }: NameParts, first: number, tag: number): string {
  const bracketed = bracketedTitle(rest.slice(from, first))
  if (bracketed !== undefined) return bracketed
  const name = tag < first ? trimmed(rest, from, tag) : extractTitle(rest.slice(from, first))
  return name
    .replace(/^\d{6} (?=\p{L})/u, '')
    .replace(/[ -]+\d{2,4}-\d{2,4}$/, '')
    .replace(/(?<=\((?:[A-Z]{2}|\d{4})\)) - .*$/, '')
}

function trimmed(rest: string, from: number, to: number): string {
  return trimTitleRegion(rest.slice(from, to), to === rest.length ? 'end' : 'tag').title
}

/** A year in brackets between the season and the number: `Stagione 6 (2016) 720p ep13`. */
function enclosedYear(between: string): number | null {
  const year = /[([]((?:19|20)\d\d)[)\]]/.exec(between)?.[1]
  return year === undefined ? null : Number(year)
}

const YEAR_BEHIND = /[([]? ?(?<![\p{L}\p{N}])((?:19|20)\d\d) ?[)\]]?/gu

type TitleBounds = { first: number; last: number; limit: number; isSubtitle: boolean }

/** The episode title: up to the first release tag, a year before it, or a square bracket. */
function titleAfterNumbers(region: NameParts, bounds: TitleBounds): { title: string; year: number | null } {
  const { rest, text } = region
  const enclosed = leadingEnclosedYear(text.slice(bounds.last, bounds.limit))
  const from = bounds.last + enclosed.length
  const start = from + bracketsLength(text.slice(from, Math.max(bounds.limit, from)))
  const tag = tagStart(text, start)
  const year = yearBefore(text, start, tag)
  const end = Math.min(year?.start ?? tag, bounds.limit)
  const isFollowed = tag < text.length || bounds.isSubtitle
  const title = trimTitleRegion(rest.slice(start, end).replace(/^[-. _]+/, ''), isFollowed ? 'tag' : 'end').title
  return {
    title: withoutNoise(title),
    year: enclosed.year ?? year?.year ?? enclosedYear(text.slice(bounds.first, bounds.last)),
  }
}

/** ` (1991) - Title`: a year in brackets between the number and the title, and its length. */
function leadingEnclosedYear(text: string): { length: number; year: number | null } {
  const match = /^ ?(?:- ?)?[([]((?:19|20)\d\d)[)\]](?=[ -]*\p{L})/u.exec(text)
  if (match === null || findFirstReleaseTag(text, match[0].length) < firstWordEnd(text, match[0].length))
    return { length: 0, year: null }
  return { length: match[0].length, year: Number(match[1]) }
}

/** A title of symbols: `???`, `♥`. */
const SYMBOLS = /^(?:[?!…\p{So}\p{Sc}\p{Emoji_Modifier} ]|\u{200D}|\u{FE0F})+$/u

/** Removes text that is not a title: a date in six digits, absolute numbers (`S02E01 - 025 - Slave`) and words of release groups. */
function withoutNoise(title: string): string {
  const own = title.replace(/^\d{3,4} - (?=\S)/, '')
  const isNumbersOnly = /^\d{6}$|^\d{3,4}-\d{3,4}(?!\d)|^complete$/i.test(own)
  const isNoise = own.split(' ').every((word) => hasUnusualCapitals(word) && isTrailingNoise(word, 'a', 'tag'))
  return (hasLetterOrDigit(own) && !isNumbersOnly && !isNoise) || SYMBOLS.test(own) ? own : ''
}

/** ` - [WEBDL-720p][x264] - Title`: the length of the brackets before the title. */
function bracketsLength(text: string): number {
  return /^ ?(?:- ?)?(?:\[[^[\]]{1,100}\] ?)+(?=(?:- )?\p{L})/u.exec(text)?.[0].length ?? 0
}

/** The position of the first tag or square bracket from a position on, with the bracket around it. */
function tagStart(text: string, from: number): number {
  const bracket = text.slice(from).search(/[[【]/u)
  const tag = Math.min(findFirstReleaseTag(text, from), bracket === -1 ? text.length : from + bracket)
  const open = text.lastIndexOf('(', tag)
  return open >= from && !text.slice(open, tag).includes(')') ? open : tag
}

function yearBefore(text: string, from: number, to: number): { start: number; year: number } | undefined {
  for (const match of text.matchAll(YEAR_BEHIND)) {
    const end = match.index + match[0].length
    const isEnclosed = /^[([].*[)\]]$/.test(match[0])
    const isLast = to < text.length && /^[ .-]*$/.test(text.slice(end, Math.max(to, end)))
    const isAll = end === text.length && text.slice(from, match.index).trim() === ''
    if (match.index >= from && match.index < to && (isEnclosed || isLast || isAll)) {
      return { start: match.index, year: Number(match[1]) }
    }
  }
  return undefined
}
