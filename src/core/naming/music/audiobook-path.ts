import { splitAuthorNames } from '../text/author-names.ts'
import { parseDiscNumber } from './music-disc-folder.ts'
import { normalizeName, pathSegments, withoutExtension } from '../text/name-text.ts'

export type AudiobookName = {
  /** Never empty. */
  title: string
  subtitle: string | null
  authors: string[]
  narrators: string[]
  series: string | null
  /** Number in the series, which may be a half: 0.5. */
  sequence: number | null
  year: number | null
  /** Amazon's id, ten letters and digits. */
  asin: string | null
}

const DISC = /^(?:cd|dis[ck])\s*\d{1,3}$/i

/**
 * The book folder of an audio file, relative to the library folder: the nearest one, where disc folders belong to the folder above. A
 * file in the library folder is a book by itself, and its own path is returned. Verified with test rows of Audiobookshelf's scandir.
 */
export function findAudiobookFolder(pathInsideRoot: string): string {
  const segments = pathSegments(pathInsideRoot)
  const folders = segments.slice(0, -1)
  while (folders.length > 1 && DISC.test(folders.at(-1) ?? '')) folders.pop()
  return folders.length === 0 ? segments.join('/') : folders.join('/')
}

/**
 * Parses the path of an audiobook: `Author/Series/Title`, `Author/Title` or `Title`. The author is the first level, the title the last;
 * levels between the series and the title are ignored.
 * @param groupPath the result of findAudiobookFolder
 */
export function parseAudiobookPath(groupPath: string): AudiobookName {
  const folders = pathSegments(groupPath)
  const own = parseAudiobookTitle(withoutExtension(folders.at(-1) ?? ''), folders.length > 2)
  const author = folders.length > 1 ? (folders[0] ?? '') : ''
  return { ...own, authors: splitAuthorNames(author), series: folders.length > 2 ? (folders[1] ?? null) : null }
}

type BookFolderName = Omit<AudiobookName, 'authors' | 'series'>

/** `Vol 1 - 1994 - Title - Subtitle {Narrator} [ASIN]`; every part except the title is optional. */
export function parseAudiobookTitle(name: string, isInSeries = false): BookFolderName {
  const narrator = /\{([^{}]{1,200})\}/.exec(name)?.[1] ?? null
  const asin = /[ ([](B0[A-Z0-9]{8})(?=$|[ )\]])/.exec(name)?.[1] ?? null
  const bare = normalizeName(name)
    .replace(/\{[^{}]{1,200}\}/, ' ')
    .replace(/[([]B0[A-Z0-9]{8}[)\]]/, ' ')
    .trim()
  const { sequence, rest } = takeSequence(bare, isInSeries)
  const { year, title } = takeYear(rest)
  const [first = '', ...others] = title.split(' - ')
  return {
    title: first.trim() || title.trim() || name,
    subtitle: others.length === 0 ? null : others.join(' - ').trim(),
    narrators: narrator === null ? [] : splitAuthorNames(narrator),
    sequence,
    year,
    asin,
  }
}

const NUMBER = String.raw`(\d{1,3}(?:\.\d{1,2})?)`
const WORDED = new RegExp(String.raw`^(?:vol\.?|volume|book) ?${NUMBER}(?: - |\. |: | (?=\S)|$)`, 'i')
const LISTED = new RegExp(String.raw`^${NUMBER}(?: - |\. )(?=\S)`)
const TRAILING = new RegExp(String.raw` - (?:vol\.?|volume|book) ?${NUMBER}(?= - |$)`, 'i')

/** `Book 2 - `, `6. Title`, `0.5 - Title`, ` - Vol 12`. 101 Dalmatians is a title, and so is any number outside of a series. */
function takeSequence(name: string, isInSeries: boolean): { sequence: number | null; rest: string } {
  const match = WORDED.exec(name) ?? (isInSeries ? LISTED.exec(name) : null) ?? TRAILING.exec(name)
  if (match === null) return { sequence: null, rest: name }
  const rest = `${name.slice(0, match.index)}${name.slice(match.index + match[0].length)}`.trim()
  return rest === '' ? { sequence: null, rest: name } : { sequence: Number(match[1]), rest }
}

/** `1994 - Title`, `(1994) - Title`, `Title (1994)`. */
function takeYear(name: string): { year: number | null; title: string } {
  const leading = /^\(?(\d{4})\)? - (?=\S)/.exec(name)
  if (leading !== null) return { year: Number(leading[1]), title: name.slice(leading[0].length) }
  const trailing = /^(.*\S) ?\( ?(\d{4}) ?\)$/.exec(name) ?? /^(.*[^\s(*]) ?\( ?(\d{4}) ?\)$/.exec(name)
  return trailing === null ? { year: null, title: name } : { year: Number(trailing[2]), title: trailing[1] ?? name }
}

/** Part and chapter in the name of a file: `Part 3 - Chapter 2.mp3`. */
export function parseAudiobookFile(fileName: string): { part: number | null; chapter: number | null } {
  const stem = withoutExtension(normalizeName(fileName)).trim()
  const chapter = /(?<![\p{L}\p{N}])(?:chapter|ch|kapitel|chapitre|cap[ií]tulo) ?\.? ?(\d{1,4})(?!\d)/iu.exec(stem)?.[1]
  const part = /(?<![\p{L}\p{N}])(?:part|pt|cd|dis[ck]|teil|partie) ?\.? ?(\d{1,4})(?!\d)/iu.exec(stem)?.[1]
  const leadingNumber = /^(\d{1,4})(?: |$|[-._])/.exec(stem)?.[1]
  return { part: part === undefined ? null : Number(part), chapter: numberOr(chapter ?? leadingNumber) }
}

function numberOr(text: string | undefined): number | null {
  return text === undefined ? null : Number(text)
}

/** The disc number of a file from its folder: `Book/CD 2/01.mp3`. */
export function audiobookDiscNumber(pathInsideRoot: string): number | null {
  const folder = pathSegments(pathInsideRoot).at(-2) ?? ''
  return DISC.test(folder) ? parseDiscNumber(folder) : null
}
