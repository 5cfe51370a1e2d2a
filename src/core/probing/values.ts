/** A decimal of ffprobe as a number; null when missing, `N/A` or not finite. */
export function decimalOf(text: string | undefined): number | null {
  if (text === undefined || !/^-?\d{1,18}(?:\.\d{1,9})?$/.test(text)) return null
  return Number(text)
}

/** A count or rate above zero that JSON and the database hold exactly; null otherwise. */
export function countOf(value: string | number | undefined): number | null {
  const number = typeof value === 'string' ? decimalOf(value) : (value ?? null)
  return number !== null && Number.isSafeInteger(number) && number > 0 ? number : null
}

/** A fraction of ffprobe that stands for a rate above zero, unchanged; null for `0/0` and alike. */
export function rateOf(text: string | undefined): string | null {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text ?? '')
  return match !== null && Number(match[1]) > 0 && Number(match[2]) > 0 ? match[0] : null
}

/** Seconds of Matroska's `00:01:02.500000000`. */
export function clockTimeOf(text: string | undefined): number | null {
  const match = /^(\d{1,4}):(\d\d):(\d\d(?:\.\d{1,9})?)$/.exec(text ?? '')
  return match === null ? null : Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3])
}

/**
 * A text from a file in a form that can be stored and shown: no NUL (PostgreSQL refuses it) and other control characters, no lone
 * surrogates, no more than `limit` characters. Null when nothing is left.
 */
export function cleanText(text: string | undefined, limit: number): string | null {
  const clean = (text ?? '')
    // Enough for any limit; a title of a megabyte is not looked at as a whole.
    .slice(0, limit * 2)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, limit)
    .toWellFormed()
  return clean === '' ? null : clean
}

/** The value of a tag, whatever the case of its name; Matroska adds the language (`BPS-eng`). */
export function tagOf(tags: Readonly<Record<string, string>>, name: string): string | undefined {
  const found = Object.keys(tags).find((key) => {
    const lower = key.toLowerCase()
    return lower === name || lower.startsWith(`${name}-`)
  })
  return found === undefined ? undefined : tags[found]
}
