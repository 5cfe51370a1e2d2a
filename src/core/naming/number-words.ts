/** Edges of a word, for patterns over text in which dots and underscores are spaces. */
export const BEFORE_WORD = String.raw`(?<![\p{L}\p{N}])`
export const AFTER_WORD = String.raw`(?![\p{L}\p{N}])`

/** `Season` in the languages that libraries are kept in; longer forms first. */
export const SEASON_WORDS = String.raw`seasons?|saisons?|staffeln?|temporadas?|temp|tem|stagion[ei]|seizoen(?:en)?|sezon(?:ul|a|y)?|sez[oó]na|säsong|s[æe]song?|sæson|kausi|évad|сезоны?|시즌|シーズン`

/** `Episode`, in front of its number. */
export const EPISODE_WORDS = String.raw`episodes?|[eé]pisodes?|episodios?|epis[oó]dios?|eps?|cap[ií]tulos?|caa?p|folgen?|afl(?:evering)?|avsnitt|odcinek|odc|bölüm|bolum|серии|серия|эпизод|эпизоды`

/** `Episode`, behind its number. */
export const EPISODE_WORDS_AFTER = String.raw`bölüm|bolum|blm|серия|серии|сер|seriya|seria|話|话|集`

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

/** A number in digits or as one of the words above; null for other text. */
export function numberOf(text: string | undefined): number | null {
  if (text === undefined) return null
  return /^\d{1,6}$/.test(text) ? Number(text) : (SPELLED.get(text.toLowerCase()) ?? null)
}
