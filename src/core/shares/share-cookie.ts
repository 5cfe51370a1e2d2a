import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

const LABEL = 'phlix-share-pass-v2'
/** 96 bits. */
const BROWSER_BYTES = 12
const BROWSER_LENGTH = 16
const FORM = /^[\w-]{59}$/

/**
 * The values of the cookies with which browsers prove that they have opened a link. A value contains neither the token nor the password.
 * The row of the link decides whether the link is still valid.
 */
export type ShareCookies = {
  /** A value for a browser that has none. */
  issue(shareId: string): string
  /** The id of the browser in a value for this link; undefined if the text is no such value. */
  browserOf(cookie: string, shareId: string): string | undefined
}

/** Creates the signer of cookie values. Its key is derived from the signing secret (HKDF of RFC 5869). */
export function createShareCookies({ secret }: { secret: Buffer }): ShareCookies {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', LABEL, 32)))
  const codeOf = (browser: string, shareId: string): string =>
    createHmac('sha256', key).update(`${LABEL}\n${shareId.toLowerCase()}\n${browser}`).digest('base64url')
  return {
    issue(shareId) {
      const browser = randomBytes(BROWSER_BYTES).toString('base64url')
      return `${browser}${codeOf(browser, shareId)}`
    },
    browserOf(cookie, shareId) {
      if (!FORM.test(cookie)) return undefined
      const browser = cookie.slice(0, BROWSER_LENGTH)
      const code = cookie.slice(BROWSER_LENGTH)
      // The text is compared instead of the bytes, because the last character of base64url has two unused bits.
      return timingSafeEqual(Buffer.from(codeOf(browser, shareId)), Buffer.from(code)) ? browser : undefined
    },
  }
}
