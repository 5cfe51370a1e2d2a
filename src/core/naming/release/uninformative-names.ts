import { wordsWithPositions } from './editions.ts'
import { foldTitle } from '../text/fold-title.ts'
import type { ReleaseName } from './release-name.ts'

/** Generic names that rippers and cameras give to the only film of a folder. */
const MEANINGLESS =
  /^(?:movie|film|video|feature|main|file|untitled|index|dvd|bdmv|video[ _]?ts|vts[ _]\d\d[ _]\d|title[ _]?t?\d*|t\d\d|0\d+)$/i

/** Generated names: a hash, a UUID. */
const HEXADECIMAL = /^(?=.*\d)(?:[0-9a-f]{16,128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Whether a file name has no information, so that the folder name is used: a hash, a disc number, a generic word. */
export function isUninformativeName(stem: string, parsed: ReleaseName): boolean {
  return (
    MEANINGLESS.test(stem.trim()) ||
    HEXADECIMAL.test(stem.trim()) ||
    (!parsed.isDescriptive && [...wordsWithPositions(stem)].some(({ word }) => looksRandom(word)))
  )
}

/** Many alternations of letters and digits: `dPBAtu681Ycy3A4NpJDH6kNVQooLxqtnsW1Umfiv`. */
function looksRandom(word: string): boolean {
  if (word.length < 12) return false
  let alternations = 0
  for (let at = 1; at < word.length; at += 1) {
    if (isDigit(word[at]) !== isDigit(word[at - 1])) alternations += 1
  }
  return alternations >= 3
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

/** `arw-greenberg.dvdrip`, `wthd-cab`: lower case without a space, as within release folders. */
export function isAbbreviatedName(stem: string): boolean {
  return stem === stem.toLowerCase() && !stem.includes(' ')
}

/** Folders of a disc structure, between the folder of the film and its files. */
export function isDiscFolder(name: string): boolean {
  return /^(?:(?:cd|dvd|disc|disk|part)[ _.-]?(?:\d{1,2}|[a-d])|video_ts|audio_ts|bdmv|stream|bdrom)$/i.test(name)
}

const CATEGORY_FOLDERS = new Set(
  `movie movies film films video videos cinema media library collection collections downloads download complete completed
  incoming public data server mnt tmp temp filme películas peliculas kino tv shows series serien séries tvshows anime
  animes media medias drive nas volume1 unsorted live finish`.split(/\s+/),
)

/** Category folders with many films: they never name one. */
export function isCategoryFolder(title: string): boolean {
  return foldTitle(title)
    .split(' ')
    .every((word) => CATEGORY_FOLDERS.has(word))
}
