/** Parses a decimal of ffprobe; null if missing, `N/A` or not finite. */
export function parseDecimal(text: string | undefined): number | null {
  if (text === undefined || !/^-?\d{1,18}(?:\.\d{1,9})?$/.test(text)) return null
  return Number(text)
}

/** Parses a positive integer that JSON and the database represent exactly; null otherwise. */
export function parsePositiveInteger(value: string | number | undefined): number | null {
  const number = typeof value === 'string' ? parseDecimal(value) : (value ?? null)
  return number !== null && Number.isSafeInteger(number) && number > 0 ? number : null
}

/** Returns a frame rate of ffprobe (`24000/1001`) unchanged if it is positive; null for `0/0` and similar. */
export function parseRate(text: string | undefined): string | null {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text ?? '')
  return match !== null && Number(match[1]) > 0 && Number(match[2]) > 0 ? match[0] : null
}

/** Parses the seconds of Matroska's `00:01:02.500000000`. */
export function parseClockTime(text: string | undefined): number | null {
  const match = /^(\d{1,4}):(\d\d):(\d\d(?:\.\d{1,9})?)$/.exec(text ?? '')
  return match === null ? null : Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3])
}

/**
 * Normalises a text from a file for storage and display: no NUL (which PostgreSQL rejects) or other control characters, no lone surrogates,
 * at most `limit` characters. Null if nothing remains.
 */
export function cleanText(text: string | undefined, limit: number): string | null {
  const clean = (text ?? '')
    // Bounds the work for very long titles.
    .slice(0, limit * 2)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, limit)
    .toWellFormed()
  return clean === '' ? null : clean
}

/** Returns the value of a tag, case-insensitively; Matroska may append the language (`BPS-eng`). */
export function findTag(tags: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(tags).find((tag) => {
    const lower = tag.toLowerCase()
    return lower === name || lower.startsWith(`${name}-`)
  })
  return key === undefined ? undefined : tags[key]
}
