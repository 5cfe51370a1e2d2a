import { CODES_BY_NAME } from './language-names.ts'

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * The language of a word, as a BCP 47 tag in its shortest form (`eng`, `fre` and `French` give `en` and `fr`), or undefined: two or three
 * letters of ISO 639, a tag with a region or script (`pt-BR`), or the English name.
 */
export function parseLanguageWord(word: string): string | undefined {
  const lower = word.toLowerCase().replaceAll('_', '-')
  if (!/^[a-z]{2,3}(?:-(?:[a-z]{2}|[a-z]{4}|\d{3}))?$/.test(lower)) return CODES_BY_NAME.get(lower)
  const [tag] = Intl.getCanonicalLocales(lower)
  return tag !== undefined && NAMES.of(tag) !== undefined ? tag : undefined
}
