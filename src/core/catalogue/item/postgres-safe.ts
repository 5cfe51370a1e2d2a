const NUL = /\0/g

/** A text that PostgreSQL can store: U+0000 and unpaired surrogates, which tags and file names do contain, are removed. */
export function postgresSafeText(text: string): string {
  return text.replace(NUL, '').toWellFormed()
}

/** How JSON writes U+0000 and unpaired surrogates. A text that contains the escape literally also matches, which is rare and harmless. */
const ESCAPED_UNSTORABLE = /\\u(?:0000|d[89a-f])/

/** JSON text of a value with all its strings and keys converted by `postgresSafeText`. */
export function postgresSafeJson(value: object): string {
  // Several times faster than checking every value, and nearly all values are storable.
  const text = JSON.stringify(value)
  return ESCAPED_UNSTORABLE.test(text) ? cleanedJson(value) : text
}

function cleanedJson(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? postgresSafeText(inner) : withKeys(inner),
  )
}

function withKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value)
  if (entries.every(([key]) => key.isWellFormed() && !key.includes('\0'))) return value
  return Object.fromEntries(entries.map(([key, inner]) => [postgresSafeText(key), inner]))
}

const NAME_MAX_CHARACTERS = 1024

/** Sort titles are in indexes, whose entries are limited to 2,704 bytes. */
const SORT_TITLE_MAX_CHARACTERS = 400

/** A storable name, never empty: a file called `\0` must still be visible in a list. */
export function postgresSafeName(name: string): string {
  return truncatedPostgresSafe(name, NAME_MAX_CHARACTERS)
}

/** A storable sort title. */
export function postgresSafeSortTitle(name: string): string {
  return truncatedPostgresSafe(name, SORT_TITLE_MAX_CHARACTERS)
}

function truncatedPostgresSafe(text: string, maxCharacters: number): string {
  const whole = postgresSafeText(text)
  const line = whole.length <= maxCharacters ? whole : Array.from(whole).slice(0, maxCharacters).join('')
  return line === '' ? '?' : line
}
