/**
 * A `Content-Disposition` header that makes browsers save a file under its name: an ASCII name for old clients (RFC 6266, 4), and the real
 * name in UTF-8 if it differs (RFC 8187, 3.2).
 */
export function attachmentHeader(name: string): string {
  const whole = name.toWellFormed()
  const plain = whole.replaceAll(/[^\u0020-\u007E]|["\\%]/gu, '_')
  const header = `attachment; filename="${plain}"`
  return plain === whole ? header : `${header}; filename*=UTF-8''${encodeName(whole)}`
}

/** Percent-encodes `name`, including the characters that RFC 8187 forbids but `encodeURIComponent` leaves. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
