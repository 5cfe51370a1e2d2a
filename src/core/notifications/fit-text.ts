type Fit = {
  /** Of the result. */
  most: number
  /** Makes one character harmless for its target; as it is unless said. */
  escape?: (character: string) => string
  /** How the target measures; UTF-16 units unless said. */
  sizeOf?: (text: string) => number
}

const ELLIPSIS = '…'
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/gu

/**
 * Text for a target: no control characters but line feeds, and none that turn the writing direction, escaped, and cut where it is too
 * long, never within a character nor within its escape. Pure.
 */
export function fitText(text: string, { most, escape = (it) => it, sizeOf = (it) => it.length }: Fit): string {
  const clean = text.toWellFormed().replaceAll(CONTROL, ' ')
  const room = most - sizeOf(ELLIPSIS)
  let fitting = ''
  let size = 0
  let whole = ''
  for (const character of clean) {
    const piece = escape(character)
    size += sizeOf(piece)
    if (size > most) return `${fitting}${ELLIPSIS}`
    whole += piece
    if (size <= room) fitting = whole
  }
  return whole
}

/** Measures as UTF-8 bytes. */
export const utf8Bytes = (text: string): number => Buffer.byteLength(text, 'utf8')

/** Measures as characters, whatever planes they are of. */
export const codePoints = (text: string): number => Array.from(text).length

/** `&`, `<` and `>` as entities: all that Telegram's HTML and Slack's text need. */
export function escapeMarkup(character: string): string {
  return ENTITIES.get(character) ?? character
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])
