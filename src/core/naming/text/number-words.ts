/** Word boundaries, for patterns over text in which dots and underscores are spaces. */
export const WORD_START = String.raw`(?<![\p{L}\p{N}])`
export const WORD_END = String.raw`(?![\p{L}\p{N}])`

/** `Season` in the supported languages; longer forms first. */
export const SEASON_WORDS = String.raw`seasons?|saisons?|staffeln?|temporadas?|temp|tem|stagion[ei]|seizoen(?:en)?|sezon(?:ul|a|y)?|sez[oó]na|säsong|s[æe]song?|sæson|kausi|évad|сезоны?|시즌|シーズン`

/** `Episode`, before its number. */
export const EPISODE_WORDS = String.raw`episodes?|[eé]pisodes?|episodios?|epis[oó]dios?|eps?|cap[ií]tulos?|caa?p|folgen?|afl(?:evering)?|avsnitt|odcinek|odc|bölüm|bolum|серии|серия|эпизод|эпизоды`

/** `Episode`, after its number. */
export const EPISODE_WORDS_AFTER = String.raw`bölüm|bolum|blm|серия|серии|сер|seriya|seria|話|话|集|화|회`

const SPELLED = new Map(
  [
    'one un uno eins',
    'two deux dos zwei',
    'three trois tres drei',
    'four quatre cuatro vier',
    'five cinq cinco fünf',
    'six seis sechs',
    'seven sept siete sieben',
    'eight huit ocho acht',
    'nine neuf nueve neun',
    'ten dix diez zehn',
    'eleven onze once elf',
    'twelve douze doce zwölf',
  ].flatMap((words, index) => words.split(' ').map((word) => [word, index + 1] as const)),
)

/** Numbers from one to twelve as words, as a pattern. */
export const SPELLED_NUMBERS = [...SPELLED.keys()].join('|')

/** Words for a season after which Roman numbers count; the short words of `SEASON_WORDS` have other meanings in other languages. */
export const LONG_SEASON_WORDS = String.raw`seasons?|saisons?|staffeln?|temporadas?|stagion[ei]|seizoen(?:en)?|sezon(?:ul|a|y)?|сезоны?`

/** Roman numbers from 2 to 39. `I` alone is a word: see `ROMAN_ONE`. */
export const ROMAN_NUMBERS = String.raw`x{0,3}(?:ix|iv|v?i{2,3}|vi?)|x{1,3}i?`
export const ROMAN_ONE = 'i'

const ROMAN_DIGITS: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/** Numbers in Chinese characters, up to 99, as a pattern. */
export const HAN_NUMBERS = '[一二三四五六七八九十]{1,3}'
const HAN_DIGITS = '一二三四五六七八九'

/** The value of a number in digits, as one of the words above, in Roman or Chinese digits; null for other text. */
export function parseNumberWord(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^\d{1,6}$/.test(text)) return Number(text)
  return SPELLED.get(text.toLowerCase()) ?? romanNumber(text.toLowerCase()) ?? hanNumber(text)
}

function romanNumber(text: string): number | null {
  if (!/^[ivx]{1,7}$/.test(text)) return null
  const digits = Array.from(text, (digit) => ROMAN_DIGITS[digit] ?? 0)
  return digits.reduce((sum, digit, at) => (digit < (digits[at + 1] ?? 0) ? sum - digit : sum + digit), 0)
}

/** `十一` is 11, `二十` is 20. */
function hanNumber(text: string): number | null {
  const match = /^([一二三四五六七八九])?(十)?([一二三四五六七八九])?$/u.exec(text)
  if (match === null || text === '') return null
  const [, first = '', ten, last = ''] = match
  const ones = (digit: string): number => HAN_DIGITS.indexOf(digit) + 1
  if (ten === undefined) return last === '' ? ones(first) : null
  return (first === '' ? 1 : ones(first)) * 10 + (last === '' ? 0 : ones(last))
}
