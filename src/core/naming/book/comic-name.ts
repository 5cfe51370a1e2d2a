import { parseBookPath, type BookPathFacts } from './book-name.ts'
import { normalizeName, pathSegments, withoutExtension } from '../text/name-text.ts'
import { isCategoryFolder } from '../release/uninformative-names.ts'

/** Patterns of an issue number, the most reliable first: `#3`, `c012`, `Chapter 12`, a leading or trailing number. */
const ISSUES: readonly RegExp[] = [
  /(?<series>.*?)#(?<index>\d{1,5}(?:\.\d{1,2})?)/u,
  /(?<series>.*?)(?<![\p{L}\p{N}])c(?:h(?:apter|\.)?)? ?(?<index>\d{1,4}(?:\.\d{1,2})?)(?![\p{L}\p{N}])/iu,
  /^(?<series>)(?<index>\d{1,4}(?:\.\d{1,2})?)(?: - |$)/u,
  /^(?<series>.*?[^\d.])(?!(?:19|20)\d\d$)(?<index>\d{1,4}(?:\.\d{1,2})?)$/u,
]

const VOLUME = /(?<series>.*?)(?<![\p{L}\p{N}])v(?:ol(?:ume|\.)?)? ?(?<index>\d{1,4})(?![\p{L}\p{N}])/iu

/** Names of category folders for comics, in addition to those for any kind of media. */
const COMIC_CATEGORY = /^(?:comics?|comic books?|mangas?|graphic novels?|bandes? dessinées?|bd)$/iu

/** Dots and underscores are spaces, except the dot of `1.5`. */
const SPACES = /_|(?<!\d)\.|\.(?!\d)/gu

/** `Saga/Volume 1`: a folder that only divides a series. */
const DIVISION = /^(?:v|vol|volume|book|tome|band|chapters?|issues?)[ .]*\d+(?: ?- ?\d+)?$/iu

/** `(2012) (Digital) [Group]`, `3 of 6`: text after the number. */
const NUMBER_SUFFIX = /\([^)]*\)|\[[^\]]*\]|(?<=\d) of \d+/giu

/**
 * Parses the path of a comic inside its library. A comic with a number in its name belongs to a series. The folder names the series, for
 * example in `Saga (2012)/Saga 001.cbz` and `Asterix/01 - Asterix the Gaul.cbr`; in the library folder, and with `#`, the file name does.
 * Without a number it is parsed as a book.
 */
export function parseComicPath(pathInsideRoot: string): BookPathFacts {
  const segments = pathSegments(pathInsideRoot)
  const folders = segments.slice(0, -1).filter((name) => !COMIC_CATEGORY.test(name.trim()))
  const book = parseBookPath([...folders, ...segments.slice(-1)].join('/'))
  const number = numberOf(withoutBrackets(withoutExtension(segments.at(-1) ?? '')))
  if (number === undefined) return book
  const { index, volume, series } = number
  const nameFolders = folders.filter((name) => !isCategoryFolder(name) && !DIVISION.test(withoutBrackets(name)))
  const folder = nameFolders.at(-1)
  const isNamed = series !== '' && (folder === undefined || number.isSure)
  return {
    ...book,
    series: isNamed ? series : folderName(folder),
    index,
    volume: volume ?? book.volume,
    // The folder that names the series does not name an author.
    authors: isNamed || nameFolders.length > 1 ? book.authors : [],
  }
}

type ComicNumber = { index: number; volume: number | undefined; series: string; isSure: boolean }

function numberOf(name: string): ComicNumber | undefined {
  const volume = VOLUME.exec(name)?.groups
  const issue = ISSUES.map((form) => form.exec(name)?.groups).find((groups) => groups !== undefined) ?? volume
  if (issue === undefined) return undefined
  const { index = '', series = '' } = issue
  const before = VOLUME.exec(series)?.groups?.['series'] ?? series
  return {
    index: Number(index),
    volume: volume === undefined ? undefined : Number(volume['index']),
    series: withoutTrailingSeparator(before),
    isSure: name.includes('#'),
  }
}

function folderName(folder: string | undefined): string | null {
  return folder === undefined ? null : withoutBrackets(folder) || folder
}

/** Removes brackets and normalizes spaces. */
function withoutBrackets(name: string): string {
  return normalizeName(name).replaceAll(SPACES, ' ').replaceAll(NUMBER_SUFFIX, ' ').replaceAll(/ {2,}/g, ' ').trim()
}

/** Removes a dash or comma before the number. */
function withoutTrailingSeparator(series: string): string {
  return series.replace(/[\s,:-]+$/u, '')
}
