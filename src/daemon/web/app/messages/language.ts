import { de } from './de.ts'
import { en, type Messages } from './en.ts'

const CATALOGUES: Readonly<Record<string, Messages>> = { de, en }

/** The first language of the browser that the app has. */
export const language: string =
  navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((tag) => tag in CATALOGUES) ?? 'en'

/** The texts of the app. */
export const texts: Messages = CATALOGUES[language] ?? en

const numbers = new Intl.NumberFormat(language)

/** A count with the separators of the language. */
export const digits = (count: number): string => numbers.format(count)
