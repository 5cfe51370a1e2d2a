import { firstMatch } from '../text/name-text.ts'
import {
  WORD_END,
  WORD_START,
  EPISODE_WORDS_AFTER,
  HAN_NUMBERS,
  LONG_SEASON_WORDS,
  parseNumberWord,
  ROMAN_NUMBERS,
  SEASON_WORDS,
  SPELLED_NUMBERS,
} from '../text/number-words.ts'

const SEASON = new RegExp(
  String.raw`${WORD_START}(?:(?:the )?complete )?(?:${SEASON_WORDS})(?:[ :]{0,2}[№#]?|-)(\d{1,4}|${SPELLED_NUMBERS})(?:of\d{1,2})?${WORD_END}(?! ?(?:-[а-я]{1,2} )?(?:${EPISODE_WORDS_AFTER})(?![ №#]{0,3}\d))`,
  'giu',
)
const SEASON_AFTER = new RegExp(
  String.raw`${WORD_START}(\d{1,2}) ?(?:st|nd|rd|th|[ºª°a]|-?[йяе])?[ -]{0,2}(?:${SEASON_WORDS})${WORD_END}`,
  'giu',
)
/** `Season IV`, `Saison VII` */
const SEASON_ROMAN = new RegExp(
  String.raw`${WORD_START}(?:${LONG_SEASON_WORDS})[ -](${ROMAN_NUMBERS})${WORD_END}`,
  'giu',
)
/** `第二季`, also within a word: these names have no spaces. */
const SEASON_HAN = new RegExp(String.raw`第 ?(\d{1,2}|${HAN_NUMBERS}) ?季`, 'gu')
/** `2nd Season` */
const SEASON_ORDINAL = new RegExp(String.raw`${WORD_START}(\d{1,2}) ?(?:st|nd|rd|th)[ -]season${WORD_END}`, 'giu')
const SEASON_LETTER = new RegExp(String.raw`${WORD_START}s(\d{1,4})(?:(?=d\d)|extras${WORD_END}|${WORD_END})`, 'giu')
const SEASON_CROSS = new RegExp(String.raw`${WORD_START}(\d{1,2})xall${WORD_END}`, 'giu')
/** `Title - Series 1 (1970)`: British, and only after a dash, because `Series` is also a word of titles. */
const SEASON_BRITISH = /(?<= - )series (\d{1,2})(?![\p{L}\p{N}])/giu

export type SeasonMarker = { start: number; end: number; season: number }

/** The season of a name without an episode: `S03`, `Season 2`, `2nd Season`, `Saison sept`, `1xAll`, `Season IV`, `第二季`. */
export function findSeasonMarker(text: string): SeasonMarker | undefined {
  const ordinal = firstMatch(text, SEASON_ORDINAL)
  const markers = [SEASON_LETTER, SEASON, SEASON_CROSS, SEASON_BRITISH, SEASON_ROMAN, SEASON_HAN]
    .map((pattern) => firstMatch(text, pattern))
    .filter((match) => match !== null)
    .toSorted((one, other) => one.index - other.index)
  const first = ordinal ?? markers[0] ?? firstMatch(text, SEASON_AFTER)
  const season = parseNumberWord(first?.[1])
  if (first === null || season === null) return undefined
  return { start: first.index, end: first.index + first[0].length, season }
}
