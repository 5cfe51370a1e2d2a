import { parseLanguageWord } from '../naming/index.ts'

/** The code of an undetermined language (ISO 639-2). */
const UNDETERMINED = 'und'

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * The language of a track as a BCP 47 tag in its shortest form, from the value in a file or a name (`ger`, `deu`, `de` and `German` give
 * `de`); `und` if the value is not a language.
 */
export function languageTag(value: string | null): string {
  const word = value?.trim() ?? ''
  // For an unknown longer tag (`zh-Hans-CN`) the primary language is used.
  return parseLanguageWord(word) ?? parseLanguageWord(word.split('-')[0] ?? '') ?? UNDETERMINED
}

/** The English name of a tag, `German`; null for `und`. */
export function languageName(tag: string): string | null {
  return tag === UNDETERMINED ? null : (NAMES.of(tag) ?? null)
}
