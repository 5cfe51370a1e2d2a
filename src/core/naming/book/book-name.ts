import { splitAuthorNames } from '../text/author-names.ts'
import { normalizeName, pathSegments, withoutExtension } from '../text/name-text.ts'
import { isCategoryFolder } from '../release/uninformative-names.ts'

export type BookName = {
  /** Null if the name has only the series and a number. */
  title: string | null
  series: string | null
  /** Number in the series, or issue number. */
  index: number | null
  /** Volume of a comic: `v01`. */
  volume: number | null
  year: number | null
}

export type BookPathFacts = BookName & { authors: string[] }

const YEAR = String.raw`(?: \((?<year>\d{4})\))?$`
/** `Sherlock Holmes #2`, `Saga (2012) #3 (of 6) (2013)` */
const NUMBERED = new RegExp(
  String.raw`^(?<series>.+?)(?: \(\d{4}\))? #(?<index>\d{1,5})(?: \(of \d{1,5}\))?${YEAR}`,
  'u',
)
/** `The Adventures of Sherlock Holmes (Sherlock Holmes, #5)` */
const IN_SERIES = new RegExp(
  String.raw`^(?<title>.+?) \((?<series>[^()]+?),? #(?<index>\d{1,5}(?:\.\d)?)\)${YEAR}`,
  'u',
)
/** `01 - Dracula (1897)` */
const LISTED = new RegExp(String.raw`^(?<index>\d{1,5}) - (?<title>.+?)${YEAR}`, 'u')
const PLAIN = new RegExp(String.raw`^(?<title>.+?)${YEAR}`, 'u')

/**
 * Parses the name of a book or comic without its extension. Volume (`v01`) and chapter (`c120`) of comics stay in the title. Verified
 * with test rows of Jellyfin's BookResolverTests.
 */
export function parseBookName(name: string): BookName {
  const text = normalizeName(name).trim()
  const match = [NUMBERED, IN_SERIES, LISTED, PLAIN].map((form) => form.exec(text)).find((found) => found !== null)
  const { title, series, index, year } = match?.groups ?? {}
  const volume = /(?<![\p{L}\p{N}])v(?:ol\.? ?)?(\d{1,4})(?![\p{L}\p{N}])/iu.exec(title ?? '')?.[1]
  const chapter = /(?<![\p{L}\p{N}])c(?:h\.? ?)?(\d{1,4})(?![\p{L}\p{N}])/iu.exec(title ?? '')?.[1]
  return {
    title: title ?? (series === undefined ? text : null),
    series: series ?? null,
    index: numberOrNull(index ?? chapter),
    volume: numberOrNull(volume),
    year: numberOrNull(year),
  }
}

function numberOrNull(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}

/**
 * Authors, series and title from the path of a book inside its library: `Author/Series/01 - Title.epub`, `Author/Title.epub`,
 * `Author/Title (12)/Title - Author.epub` as written by Calibre. Category folders are ignored.
 */
export function parseBookPath(pathInsideRoot: string): BookPathFacts {
  const segments = pathSegments(pathInsideRoot)
  const stem = withoutExtension(segments.at(-1) ?? '')
  const folders = segments.slice(0, -1).filter((folder) => !isCategoryFolder(folder))
  const [author, second, third] = folders
  const authors = author === undefined ? [] : splitAuthorNames(author)
  const calibre = second === undefined ? null : /^(.+) \(\d{1,7}\)$/.exec(second)
  const suffix = author === undefined ? '' : ` - ${author}`
  const own = parseBookName(stem.endsWith(suffix) && suffix !== '' ? stem.slice(0, -suffix.length) : stem)
  if (calibre !== null) return { ...own, title: own.title ?? calibre[1] ?? null, authors }
  const isOwnFolder = second !== undefined && third === undefined && parseBookName(second).title === own.title
  return { ...own, series: own.series ?? (isOwnFolder ? null : (second ?? null)), authors }
}
