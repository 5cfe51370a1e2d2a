import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

const LABEL = 'phlix-share-pass-v2'
/** 96 bits. */
const BROWSER_BYTES = 12
const BROWSER_LENGTH = 16
const FORM = /^[\w-]{59}$/

/**
 * The label of values of an earlier release, which contain no id of a browser. They stay valid until they are replaced, because a link that is
 * used up could not be opened again.
 */
const OLD_LABEL = 'phlix-share-pass-v1'
const OLD_FORM = /^[\w-]{43}$/

/**
 * The values of the cookies with which browsers prove that they have opened a link. A value contains neither the token nor the password.
 * The row of the link decides whether the link is still valid.
 */
export type ShareCookies = {
  /** A value for a browser that has none. */
  issue(shareId: string): string
  /** Whether a valid value is from an earlier release and contains no id of a browser. */
  isOld(cookie: string): boolean
  /** The id of the browser in a value for this link; undefined if the text is no such value. */
  browserOf(cookie: string, shareId: string): string | undefined
}

/** Creates the signer of cookie values. Its keys are derived from the signing secret (HKDF of RFC 5869). */
export function createShareCookies({ secret }: { secret: Buffer }): ShareCookies {
  const codeOf = createSigner(secret, LABEL)
  const oldCodeOf = createSigner(secret, OLD_LABEL)
  return {
    issue(shareId) {
      const browser = randomBytes(BROWSER_BYTES).toString('base64url')
      return `${browser}${codeOf(shareId, browser)}`
    },
    isOld: (cookie) => OLD_FORM.test(cookie),
    browserOf(cookie, shareId) {
      // All browsers with such a value count as one, until they get one of their own.
      if (OLD_FORM.test(cookie)) return isEqual(oldCodeOf(shareId), cookie) ? OLD_LABEL : undefined
      if (!FORM.test(cookie)) return undefined
      const browser = cookie.slice(0, BROWSER_LENGTH)
      return isEqual(codeOf(shareId, browser), cookie.slice(BROWSER_LENGTH)) ? browser : undefined
    },
  }
}

function createSigner(secret: Buffer, label: string): (shareId: string, browser?: string) => string {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', label, 32)))
  return (shareId, browser) => {
    const signed = [label, shareId.toLowerCase(), ...(browser === undefined ? [] : [browser])]
    return createHmac('sha256', key).update(signed.join('\n')).digest('base64url')
  }
}

/** The texts are compared instead of the bytes, because the last character of base64url has two unused bits. */
function isEqual(code: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(code), Buffer.from(given))
}
