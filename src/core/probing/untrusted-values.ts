/** Maximum length of a name, title or other single-line text, in characters. */
export const MAX_LINE_CHARACTERS = 1_024

/** Maximum length of a description, in characters. */
export const MAX_PARAGRAPH_CHARACTERS = 16_384

/** Maximum number of names in a list (artists, genres, actors). */
export const MAX_LIST_ENTRIES = 200

/**
 * Normalises a text from a file to one line: NFC, without NUL (which PostgreSQL rejects) and other control characters, without lone
 * surrogates, trimmed, truncated to `limit` characters. Null if nothing remains, or if the value is neither text nor number.
 */
export function cleanLine(value: unknown, limit: number = MAX_LINE_CHARACTERS): string | null {
  return cut(textOf(value, limit)?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), limit)
}

/** Like `cleanLine`, but keeps line feeds: for descriptions. Markup is kept as text; the display escapes it. */
export function cleanParagraphs(value: unknown, limit: number = MAX_PARAGRAPH_CHARACTERS): string | null {
  const text = textOf(value, limit)?.replaceAll(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
  // Control characters except the line feed.
  return cut(text?.replaceAll(/[^\P{Cc}\n]+/gu, ' ').replaceAll(/\n{3,}/g, '\n\n'), limit)
}

/** Returns the distinct texts of a list in order, at most `MAX_LIST_ENTRIES`. A single value counts as a list of one. */
export function cleanLines(values: unknown, limit?: number): string[] {
  const lines = new Set<string>()
  for (const value of Array.isArray(values) ? values : [values]) {
    if (lines.size >= MAX_LIST_ENTRIES) break
    const line = cleanLine(value, limit)
    if (line !== null) lines.add(line)
  }
  return [...lines]
}

/** Returns the year 1..9999 of a number or at the beginning of a text (`2004-05-06`); null otherwise, including `0000`. */
export function parseYear(value: unknown): number | null {
  const match = /^\s*(\d{4})(?!\d)/.exec(typeof value === 'number' ? String(value).padStart(4, '0') : rawTextOf(value))
  const year = Number(match?.[1] ?? 0)
  return year >= 1 ? year : null
}

/** Returns an integer 0..`maximum` from a number or from the leading digits of a text (`3/12`); null otherwise. */
export function parseCount(value: unknown, maximum: number): number | null {
  const match = /^\s*\+?(\d{1,15})/.exec(typeof value === 'number' ? String(value) : rawTextOf(value))
  if (match === null || (typeof value === 'number' && !Number.isSafeInteger(value))) return null
  const count = Number(match[1])
  return count <= maximum ? count : null
}

/** Returns a finite number from `minimum` to `maximum`, from a number or a decimal text; null otherwise. */
export function parseNumberInRange(value: unknown, minimum: number, maximum: number): number | null {
  const text = rawTextOf(value).trim()
  const number =
    typeof value === 'number' ? value : /^[-+]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN
  return number >= minimum && number <= maximum ? number : null
}

function rawTextOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 64) : ''
}

/** Processes at most a small multiple of the limit, because a title may be megabytes long. */
function textOf(value: unknown, limit: number): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  return typeof value === 'string' ? value.slice(0, limit * 4) : undefined
}

function cut(text: string | undefined, limit: number): string | null {
  if (text === undefined) return null
  const whole = withoutLoneSurrogates(text).normalize('NFC').trim()
  // Truncation may split a surrogate pair.
  const short = whole.length <= limit ? whole : withoutLoneSurrogates(whole.slice(0, limit)).trimEnd()
  return short === '' ? null : short
}

function withoutLoneSurrogates(text: string): string {
  return text.isWellFormed() ? text : text.replaceAll(/\p{Cs}/gu, '')
}
