/** The characters that have a meaning in a value of a filter (RFC 4515, 3), and control characters. */
const SPECIAL = /[\\*()\p{Cc}]/gu

/** A text as a value of a filter: it matches exactly this text. */
export function escapeFilterValue(text: string): string {
  return text.replaceAll(SPECIAL, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join(''),
  )
}

/** Replaces `{username}` in a filter. */
export function fillUsernameFilter(filter: string, username: string): string {
  const value = escapeFilterValue(username)
  // A function, because texts have a syntax of their own as replacements.
  return filter.replaceAll('{username}', () => value)
}
