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

/** A name is never empty: a file called `\0` still has to be found in a list. */
export function storableName(name: string): string {
  const text = Array.from(storableText(name)).slice(0, NAME_MAX_CHARACTERS).join('')
  return text === '' ? '?' : text
}
