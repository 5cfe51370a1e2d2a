/** A text as one word of a POSIX shell. Plain words are returned unchanged. */
export function shellQuote(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
