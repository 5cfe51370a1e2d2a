import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'

const LABEL = 'phlix-share-pass-v1'
const FORM = /^[\w-]{43}$/

/** What a browser keeps after it has opened a link: proof of that, without the token and the password. The row of the link says whether it still holds. */
export type GuestPasses = {
  issue(shareId: string): string
  /** Whether a text is a pass for this link. */
  isValid(pass: string, shareId: string): boolean
}

/** Creates the passes. Their key is derived from the signing secret (HKDF of RFC 5869). */
export function createGuestPasses({ secret }: { secret: Buffer }): GuestPasses {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', LABEL, 32)))
  const codeOf = (shareId: string): string =>
    createHmac('sha256', key).update(`${LABEL}\n${shareId.toLowerCase()}`).digest('base64url')
  return {
    issue: codeOf,
    // The text is compared instead of the bytes, because the last character of base64url has two unused bits.
    isValid: (pass, shareId) => FORM.test(pass) && timingSafeEqual(Buffer.from(codeOf(shareId)), Buffer.from(pass)),
  }
}
