/**
 * A `Content-Disposition` that makes browsers save a file under its name (RFC 6266, 4): a name in ASCII for old clients, and beside it the
 * real one in UTF-8 where that is another (RFC 8187, 3.2).
 */
export function attachmentNamed(name: string): string {
  const whole = name.toWellFormed()
  const plain = whole.replaceAll(/[^\u0020-\u007E]|["\\%]/gu, '_')
  const header = `attachment; filename="${plain}"`
  return plain === whole ? header : `${header}; filename*=UTF-8''${encodeName(whole)}`
}

/** What `encodeURIComponent` leaves, and RFC 8187 does not. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
