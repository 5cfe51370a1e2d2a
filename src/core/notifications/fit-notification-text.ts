type FitOptions = {
  /** Maximum size of the result. */
  maxSize: number
  /** Escapes one character for the target; default: no escaping. */
  escape?: (character: string) => string
  /** The unit of the target; default: UTF-16 code units. */
  sizeOf?: (text: string) => number
}

const ELLIPSIS = '…'
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/gu

/**
 * Prepares text for a target: replaces control characters except line feeds and characters that change the writing direction, escapes, and
 * truncates to the maximum size, never within a character or an escape. Pure.
 */
export function fitNotificationText(
  text: string,
  { maxSize, escape = (it) => it, sizeOf = (it) => it.length }: FitOptions,
): string {
  const clean = text.toWellFormed().replaceAll(CONTROL, ' ')
  const room = maxSize - sizeOf(ELLIPSIS)
  let truncated = ''
  let size = 0
  let whole = ''
  for (const character of clean) {
    const piece = escape(character)
    size += sizeOf(piece)
    if (size > maxSize) return `${truncated}${ELLIPSIS}`
    whole += piece
    if (size <= room) truncated = whole
  }
  return whole
}

/** Size in UTF-8 bytes. */
export const countUtf8Bytes = (text: string): number => Buffer.byteLength(text, 'utf8')

/** Size in code points. */
export const countCodePoints = (text: string): number => Array.from(text).length

/** Escapes `&`, `<` and `>` as entities, which is sufficient for Telegram's HTML and Slack's text. */
export function escapeMarkupCharacter(character: string): string {
  return ENTITIES.get(character) ?? character
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])
