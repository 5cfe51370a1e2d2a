import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

const LABEL = 'phlix-share-pass-v2'
/** 96 bits. */
const BROWSER_BYTES = 12
const BROWSER_LENGTH = 16
const FORM = /^[\w-]{59}$/

/** What a browser keeps after it has opened a link: proof of that, without the token and the password. The row of the link says whether it still holds. */
export type GuestPasses = {
  /** A pass for a browser that has none. */
  issue(shareId: string): string
  /** The name of the browser in a pass for this link; undefined if the text is none. */
  browserOf(pass: string, shareId: string): string | undefined
}

/** Creates the passes. Their key is derived from the signing secret (HKDF of RFC 5869). */
export function createGuestPasses({ secret }: { secret: Buffer }): GuestPasses {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', LABEL, 32)))
  const codeOf = (browser: string, shareId: string): string =>
    createHmac('sha256', key).update(`${LABEL}\n${shareId.toLowerCase()}\n${browser}`).digest('base64url')
  return {
    issue(shareId) {
      const browser = randomBytes(BROWSER_BYTES).toString('base64url')
      return `${browser}${codeOf(browser, shareId)}`
    },
    browserOf(pass, shareId) {
      if (!FORM.test(pass)) return undefined
      const browser = pass.slice(0, BROWSER_LENGTH)
      const code = pass.slice(BROWSER_LENGTH)
      // The text is compared instead of the bytes, because the last character of base64url has two unused bits.
      return timingSafeEqual(Buffer.from(codeOf(browser, shareId)), Buffer.from(code)) ? browser : undefined
    },
  }
}
