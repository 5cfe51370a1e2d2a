import { editionName, findEdition } from './editions.ts'
import { namePrefixLength } from './name-prefix.ts'
import { firstWordEnd, normalizeName, separatorsToSpaces } from '../text/name-text.ts'
import { extractProviderIds, type ProviderIds } from '../text/provider-ids.ts'
import { findFirstReleaseTag, type TitleRegionEnd } from './release-tags.ts'
import { trimTitleRegion } from './title-region.ts'
import { chooseYear, leadingYear, type YearMatch } from './release-year.ts'

export type ReleaseName = {
  /** Never empty. */
  title: string
  year: number | null
  /** `Extended`, `Director's Cut`, as written in the name. */
  edition: string | null
  /** The disc or part of a film in several files, from 1. */
  part: number | null
  providerIds: ProviderIds
  /** Whether the name has more than a title, which makes it more reliable. */
  isDescriptive: boolean
}

/**
 * Parses one name, of a file without its extension or of a folder. Supports names written by people (`Film (2001)`) and by release groups
 * (`Film.2001.LiMiTED.1080p.BluRay-GROUP`). A leading list number is removed.
 */
export function parseReleaseName(name: string): ReleaseName {
  return readName(withoutListNumber(normalizeName(name)))
}

/** Like `parseReleaseName`, with a leading number as part of the title: series are not kept in numbered lists (`07 zgłoś się (1976)`). */
export function parseNumberedTitle(name: string): ReleaseName {
  return readName(normalizeName(name))
}

function readName(stem: string): ReleaseName {
  const { ids, rest, layout, named } = layOutName(stem)
  const { start, end, tailStart, cut, year, isTagged } = layout
  const { title, editions } = trimTitleRegion(withoutFilmNumber(rest.slice(start, end)), cut)
  const tail = separatorsToSpaces(rest.slice(tailStart))
  const edition = named ?? editionName([...editions, ...editionsIn(tail)].join(' '))
  return {
    title: title === '' ? stem.trim() || stem : title,
    year: year ?? null,
    edition: edition === '' ? null : edition,
    part: partOf(tail),
    providerIds: ids,
    isDescriptive: isTagged || year !== undefined || Object.keys(ids).length > 0,
  }
}

/** The year that `parseReleaseName` reads, without the other facts. */
export function parseReleaseYear(name: string): number | null {
  return layOutName(withoutListNumber(normalizeName(name))).layout.year ?? null
}

function layOutName(stem: string) {
  const { ids, rest: open } = extractProviderIds(stem)
  const { named, rest } = takeNamedEdition(open)
  return { ids, rest, named, layout: layOut(separatorsToSpaces(rest), !stem.trim().includes(' ')) }
}

/** Names of months after an ordinal, in the languages that write ordinals with a dot. */
const MONTHS = `januar februar märz marts mars april mai maj maja juni juli august september oktober november dezember december desember
  stycznia lutego marca kwietnia czerwca lipca sierpnia września października listopada grudnia
  ledna února března dubna května června července srpna září října listopadu prosince`
const IS_MONTH = String.raw`(?:${MONTHS.split(/\s+/).join('|')})(?!\p{L})`
/** Two words of which the second is not a year: `10. Stock (2020)` is an ordinal. */
const TWO_WORDS = String.raw`[^ ]{1,100} +(?!\d{4}(?!\d))[\p{L}\p{N}&-]`
/**
 * `1. The Title`, `07) Title`, `03 Title`, and before a year `12 - Title`: the number in a manual list. `9 (2009)` is a title, and so are
 * `9. April` and `10. Stock`, whose numbers are ordinals.
 */
const LIST_NUMBER = new RegExp(
  String.raw`^(?:(?:\d{1,2}[.)] +(?=${TWO_WORDS})|0[1-9](?:[.)] *| ))(?!${IS_MONTH})|0[1-9] - |\d{1,2} - (?=[^-]*[([]\d{4}[)\]]))(?=[\p{L}\p{N}])`,
  'iu',
)

/** Replaces such a number by spaces, so that positions do not change. */
function withoutListNumber(stem: string): string {
  return stem.replace(LIST_NUMBER, (number) => ' '.repeat(number.length))
}

/** `{edition-Final Cut}`: a free edition name, replaced by spaces. */
function takeNamedEdition(name: string): { named: string | undefined; rest: string } {
  const [mark = '', words] = /\{edition-([^{}]{1,100})\}/i.exec(name) ?? []
  const named = words?.replaceAll(/[._]/g, ' ').trim()
  return { named: named === '' ? undefined : named, rest: name.replace(mark, ' '.repeat(mark.length)) }
}

type Layout = {
  /** The start and end of the title region, and the start of the release description. */
  start: number
  end: number
  tailStart: number
  cut: TitleRegionEnd
  year: number | undefined
  isTagged: boolean
}

/** Finds the sections of a name. Positions are equal in the text with dots and in the text with spaces. */
function layOut(text: string, isDotted: boolean): Layout {
  const prefix = namePrefixLength(text)
  const leading = leadingYear(text.slice(prefix), isDotted && findFirstReleaseTag(text, prefix) < text.length)
  const start = prefix + (leading?.end ?? 0)
  // A title has at least one word, whatever it is.
  const tag = findFirstReleaseTag(text, firstWordEnd(text, start))
  const year = leading === undefined ? chooseYear(text, start, tag) : undefined
  const { end, cut } = titleEnd({ text, start, tag, year })
  return {
    start,
    end: cut === 'tag' && prefix > 0 ? episodeNumberAt(text.slice(0, end)) : end,
    tailStart: year !== undefined && year.start === end ? year.end : end,
    // In a name with dots a bracket is an alias even before (2000); in a name with spaces it belongs to the title: Run Lola Run (Lola
    // rennt) (1998).
    cut: isDotted && cut === 'enclosed_year' ? 'bare_year' : cut,
    year: leading?.year ?? year?.year,
    isTagged: tag < text.length,
  }
}

type Found = { text: string; start: number; tag: number; year: YearMatch | undefined }

function titleEnd({ text, start, tag, year }: Found): { end: number; cut: TitleRegionEnd } {
  if (year !== undefined && year.start <= tag) {
    return { end: year.start, cut: year.isEnclosed ? 'enclosed_year' : 'bare_year' }
  }
  if (tag === text.length) return { end: tag, cut: 'end' }
  // A tag within a bracket extends to the whole bracket: The Rack (VHS).
  const open = Math.max(text.lastIndexOf('(', tag), text.lastIndexOf('[', tag))
  const isInside = open > start && !/[)\]]/.test(text.slice(open, tag))
  return { end: isInside ? open : tag, cut: 'tag' }
}

/** `[Group] Title - 03 [720p]`: the position of the episode number in names that begin with a group. */
function episodeNumberAt(text: string): number {
  return / - \d{2,4}(?:v\d)? ?$/.exec(text)?.index ?? text.length
}

/** `James_Bond-f21-Casino_Royale`: series, number of the film, title. */
function withoutFilmNumber(region: string): string {
  const number = /(?<=.)-f\d{1,3}-/.exec(region)
  return number === null ? region : region.slice(number.index + number[0].length)
}

/** All editions after the title, for example two on both sides of a tag. */
function editionsIn(tail: string): string[] {
  const run = findEdition(tail, true)
  return run === undefined ? [] : [tail.slice(run.start, run.end)]
}

const DISC = /(?<![\p{L}\p{N}])(?:cd|disc|disk)[ -]?(\d{1,2})(?:of\d{1,2})?(?![\p{L}\p{N}])/iu
const PART = /(?<![\p{L}\p{N}])(?:cd|dvd|part|pt|disc|disk)[ -]?(\d{1,2}|[a-d])$/iu

/** The part number after title and year; before them it belongs to the title (Mockingjay Part 1). */
function partOf(tail: string): number | null {
  const part = (DISC.exec(tail) ?? PART.exec(tail.trimEnd()))?.[1]
  if (part === undefined) return null
  return /\d/.test(part) ? Number(part) : part.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0) + 1
}
