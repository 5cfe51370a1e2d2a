import { languageOf } from '../naming/index.ts'

/** What a track has that says no language (ISO 639-2, undetermined). */
const UNDETERMINED = 'und'

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * The language of a track as a tag of BCP 47 in its shortest form, from what a file or a name says (`ger`, `deu`, `de` and `German` give
 * `de`); `und` where that is no language.
 */
export function languageTag(told: string | null): string {
  const word = told?.trim() ?? ''
  // Of a longer tag (`zh-Hans-CN`) at least the language is known.
  return languageOf(word) ?? languageOf(word.split('-')[0] ?? '') ?? UNDETERMINED
}

/** The English name of a tag, `German`; null for `und`. */
export function languageName(tag: string): string | null {
  return tag === UNDETERMINED ? null : (NAMES.of(tag) ?? null)
}
