import { editionName, findEdition, wordsOf } from './editions.ts'
import { takeProviderIds, type ProviderIds } from './provider-ids.ts'
import { firstTagAt, leadingTagLength, type Cut } from './release-tags.ts'
import { trimRegion } from './title-region.ts'
import { chooseYear, leadingYear, type YearMatch } from './year.ts'

export type ReleaseName = {
  /** Never empty. */
  title: string
  year: number | null
  /** `Extended`, `Director's Cut`, in the words of the name. */
  edition: string | null
  /** Which disc or file of a film that is cut in several, counted from 1. */
  part: number | null
  providerIds: ProviderIds
  /** Whether it says more than a title: whoever named it knew what it is. */
  isDescriptive: boolean
}

/** No file system has longer names (255 bytes or UTF-16 units); what comes from elsewhere is cut, so that it cannot cost time. */
const MAXIMUM_CHARACTERS = 512

/**
 * Reads one name, of a file without its extension or of a folder. Knows the names that people give (`Film (2001)`) and those of
 * release groups (`Film.2001.LiMiTED.1080p.BluRay-GROUP`).
 */
export function parseReleaseName(name: string): ReleaseName {
  const stem = name.slice(0, MAXIMUM_CHARACTERS).toWellFormed().normalize('NFC')
  const { ids, rest } = takeProviderIds(stem)
  const isDotted = !stem.trim().includes(' ')
  const { start, end, tailStart, cut, year, isTagged } = layOut(rest.replaceAll(/[._]/g, ' '), isDotted)
  const { title, editions } = trimRegion(withoutFilmNumber(rest.slice(start, end)), cut)
  const tail = rest.slice(tailStart).replaceAll(/[._]/g, ' ')
  const edition = editionName([...editions, ...editionsIn(tail)].join(' '))
  return {
    title: title === '' ? stem.trim() || stem : title,
    year: year ?? null,
    edition: edition === '' ? null : edition,
    part: partOf(tail),
    providerIds: ids,
    isDescriptive: isTagged || year !== undefined || Object.keys(ids).length > 0,
  }
}

type Layout = {
  /** Where the region of the title starts and ends, and where what describes the release starts. */
  start: number
  end: number
  tailStart: number
  cut: Cut
  year: number | undefined
  isTagged: boolean
}

/** Finds the parts of a name. Every place is the same in the text with dots and in the text with spaces. */
function layOut(text: string, isDotted: boolean): Layout {
  const prefix = prefixLength(text)
  const leading = leadingYear(text.slice(prefix), isDotted && firstTagAt(text, prefix) < text.length)
  const start = prefix + (leading?.end ?? 0)
  const tag = firstTagAt(text, firstWordEnd(text, start))
  const year = leading === undefined ? chooseYear(text, start, tag) : undefined
  const { end, cut } = titleEnd({ text, start, tag, year })
  return {
    start,
    end: cut === 'tag' && prefix > 0 ? episodeNumberAt(text.slice(0, end)) : end,
    tailStart: year !== undefined && year.start === end ? year.end : end,
    // In a name of dots a bracket is an alias even before (2000); with spaces it is meant: Run Lola Run (Lola rennt) (1998).
    cut: isDotted && cut === 'enclosed_year' ? 'bare_year' : cut,
    year: leading?.year ?? year?.year,
    isTagged: tag < text.length,
  }
}

/** Sites (`www.x.org - `), groups (`[Group] `) and codecs before the title. What would leave nothing is no prefix. */
function prefixLength(text: string): number {
  let length = 0
  for (;;) {
    const rest = text.slice(length)
    const taken = PREFIXES.map((measure) => measure(rest)).find((measured) => measured > 0) ?? 0
    if (taken === 0 || !/[\p{L}\p{N}]/u.test(rest.slice(taken))) return length
    length += taken
  }
}

const PREFIXES = [
  (text: string) => text.length - text.trimStart().length,
  (text: string) => /^\[? ?www \S{1,60} [a-z]{2,4}\]? {0,2}-? {0,2}/i.exec(text)?.[0].length ?? 0,
  (text: string) => /^\(\d{1,2}\)/.exec(text)?.[0].length ?? 0,
  (text: string) => /^(?:\[(?! ?(?:18|19|20)\d\d ?\])[^\]]{1,60}\]|【[^】]{1,60}】)/u.exec(text)?.[0].length ?? 0,
  (text: string) => {
    const length = leadingTagLength(text)
    return length === 0 ? 0 : length + (/^ ?-? ?/.exec(text.slice(length))?.[0].length ?? 0)
  },
  // The group in front, as inside of release folders: told from a compound word (spider-man) by the article behind it.
  (text: string) =>
    isSceneFile(text)
      ? (/^[a-z0-9]{2,8}-(?=(?:the|a|an|how|what|who|when|why|my|your) )/.exec(text)?.[0].length ?? 0)
      : 0,
]

function isSceneFile(text: string): boolean {
  return text === text.toLowerCase() && firstTagAt(text, 0) < text.length
}

/** A title has at least one word, whatever it looks like. */
function firstWordEnd(text: string, from: number): number {
  const [first] = wordsOf(text.slice(from))
  return from + (first?.end ?? 0)
}

type Found = { text: string; start: number; tag: number; year: YearMatch | undefined }

function titleEnd({ text, start, tag, year }: Found): { end: number; cut: Cut } {
  if (year !== undefined && year.start <= tag) {
    return { end: year.start, cut: year.isEnclosed ? 'enclosed_year' : 'bare_year' }
  }
  if (tag === text.length) return { end: tag, cut: 'end' }
  // A tag in a bracket takes the whole bracket with it: The Rack (VHS).
  const open = Math.max(text.lastIndexOf('(', tag), text.lastIndexOf('[', tag))
  const isInside = open > start && !/[)\]]/.test(text.slice(open, tag))
  return { end: isInside ? open : tag, cut: 'tag' }
}

/** `[Group] Title - 03 [720p]`: where the number of an episode starts, as groups that put their name in front write it. */
function episodeNumberAt(text: string): number {
  return / - \d{2,4}(?:v\d)? ?$/.exec(text)?.index ?? text.length
}

/** `James_Bond-f21-Casino_Royale`: series, number of the film, title. */
function withoutFilmNumber(region: string): string {
  const number = /(?<=.)-f\d{1,3}-/.exec(region)
  return number === null ? region : region.slice(number.index + number[0].length)
}

/** All editions after the title, such as two that stand on both sides of a tag. */
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
