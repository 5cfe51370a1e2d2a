const NUL = /\0/g

/** A text as PostgreSQL can hold it: without U+0000 and half surrogate pairs, which tags and file names do contain. */
export function storableText(text: string): string {
  return text.replace(NUL, '').toWellFormed()
}

/** JSON text of a value with all its texts and keys made storable in the same way. */
export function storableJson(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? storableText(inner) : withKeys(inner),
  )
}

function withKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value)
  if (entries.every(([key]) => key.isWellFormed() && !key.includes('\0'))) return value
  return Object.fromEntries(entries.map(([key, inner]) => [storableText(key), inner]))
}

const NAME_MAX_CHARACTERS = 1024

/** What lists are sorted by stands in indexes, whose entries are at most 2,704 bytes. */
const SORT_TITLE_MAX_CHARACTERS = 400

/** A name is never empty: a file called `\0` still has to be found in a list. */
export function storableName(name: string): string {
  return storableLine(name, NAME_MAX_CHARACTERS)
}

/** The same of what a name is sorted by. */
export function storableSortTitle(name: string): string {
  return storableLine(name, SORT_TITLE_MAX_CHARACTERS)
}

function storableLine(text: string, maxCharacters: number): string {
  const line = Array.from(storableText(text)).slice(0, maxCharacters).join('')
  return line === '' ? '?' : line
}
