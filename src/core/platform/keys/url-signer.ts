import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { Clock } from '../time/index.ts'

/**
 * The query parameters of a signed address: `exp` in Unix seconds, `sig` as 43 characters of base64url. The `sig` of an address for a
 * limited account ends with a dot and the id of its access policy, which it covers.
 */
type Signature = { exp: number; sig: string }

type SignatureVerdict = 'valid' | 'expired' | 'invalid'

export type UrlSigner = {
  /**
   * Signs a resource: a decoded absolute path (`/media/ID/stream`), or the folder of a job ending in `/` (`/hls/JOB/`), whose signature is
   * valid for all paths that the caller maps to it.
   * @throws RangeError for a path that is not normalised
   */
  sign(resource: string, ttlSeconds?: number): Signature
  /** Returns the same signature for all calls within an hour, so that browsers can cache a file. It is valid for 5 to 6 hours. */
  signForHour(resource: string): Signature
  /** The expiry of the current result of `signForHour`, in Unix seconds. */
  hourExpiry(): number
  /**
   * Returns the same signature for all calls within a day of UTC, so that browsers can cache the pictures of lists. It is valid for 6 to 30
   * hours: a picture that is shown just before midnight can be loaded as long as other signed addresses.
   */
  signForDay(resource: string): Signature
  /** The expiry of the current result of `signForDay`, in Unix seconds. */
  dayExpiry(): number
  /** The URL of a decoded absolute path with its signature, or with the signature of the folder given as `resource`. */
  signUrl(path: string, resource?: string): string
  /**
   * A signer whose signatures expire no later than `latest`, in Unix seconds. A derived address must not be valid for longer than the
   * address it was derived from.
   */
  until(latest: number): UrlSigner
  /** A signer of addresses for the accounts of an access policy, with which the address is checked when it is used. */
  forPolicy(policyId: number): UrlSigner
  /** Verifies the parameters of a client; never throws. `expired` only for a correct signature. */
  verify(resource: string, exp: unknown, sig: unknown): SignatureVerdict
}

const HOUR_SECONDS = 60 * 60
const DAY_SECONDS = 24 * HOUR_SECONDS
const LIFETIME_SECONDS = 6 * HOUR_SECONDS
const LABEL = 'phlix-signed-url-v1'

/** Seconds without sign, leading zero or exponent, small enough to be represented exactly. */
const EXPIRY_FORM = /^[1-9]\d{0,11}$/
const SIGNATURE_FORM = /^(?<code>[\w-]{43})(?:\.(?<policy>[1-9]\d{0,9}))?$/

/** The id of the access policy in a signature; null for none. Whether the signature is right is for `verify` to say. */
export function policyOfSignature(sig: unknown): number | null {
  const policy = typeof sig === 'string' ? SIGNATURE_FORM.exec(sig)?.groups?.['policy'] : undefined
  return policy === undefined ? null : Number(policy)
}

/** Creates a signer for media addresses. Its key is derived from the signing secret (HKDF of RFC 5869). */
export function createUrlSigner({ secret, clock }: { secret: Buffer; clock: Clock }): UrlSigner {
  // A key object is prepared once: signing with raw bytes takes six times as long.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', LABEL, 32)))
  return signerUntil(Infinity, { key, clock, policyId: null })
}

type SignerParts = { key: KeyObject; clock: Clock; policyId: number | null }

function signerUntil(latest: number, parts: SignerParts): UrlSigner {
  const { key, clock, policyId } = parts
  /** A resource has no line break, so that no signature without a policy is also one with it. */
  const signatureOf = (resource: string, exp: string, policy: number | null): string => {
    const suffix = policy === null ? '' : `\n${policy}`
    return createHmac('sha256', key).update(`${LABEL}\n${resource}\n${exp}${suffix}`).digest('base64url')
  }

  const sign = (resource: string, ttlSeconds = LIFETIME_SECONDS): Signature => {
    if (!isNormal(resource)) throw new RangeError(`not a normalised absolute path: ${resource}`)
    const exp = Math.min(clock.unixSeconds() + ttlSeconds, latest)
    const code = signatureOf(resource, String(exp), policyId)
    return { exp, sig: policyId === null ? code : `${code}.${policyId}` }
  }

  const hourExpiry = (): number => {
    const now = clock.unixSeconds()
    return Math.min(now - (now % HOUR_SECONDS) + LIFETIME_SECONDS, latest)
  }

  const dayExpiry = (): number => {
    const now = clock.unixSeconds()
    return Math.min(now - (now % DAY_SECONDS) + DAY_SECONDS + LIFETIME_SECONDS, latest)
  }

  return {
    sign,
    signForHour: (resource) => sign(resource, hourExpiry() - clock.unixSeconds()),
    hourExpiry,
    signForDay: (resource) => sign(resource, dayExpiry() - clock.unixSeconds()),
    dayExpiry,
    signUrl(path, resource = path) {
      const { exp, sig } = sign(resource)
      return `${path.split('/').map(encodeURIComponent).join('/')}?exp=${exp}&sig=${sig}`
    },
    until: (sooner) => signerUntil(Math.min(sooner, latest), parts),
    forPolicy: (id) => signerUntil(latest, { ...parts, policyId: id }),
    verify(resource, exp, sig) {
      if (typeof exp !== 'string' || !EXPIRY_FORM.test(exp)) return 'invalid'
      const code = typeof sig === 'string' ? SIGNATURE_FORM.exec(sig)?.groups?.['code'] : undefined
      if (code === undefined || !isNormal(resource)) return 'invalid'
      // The encoded text is compared instead of the decoded bytes, because the last character of base64url has two unused bits.
      const right = signatureOf(resource, exp, policyOfSignature(sig))
      const isRight = timingSafeEqual(Buffer.from(right), Buffer.from(code))
      if (!isRight) return 'invalid'
      return clock.unixSeconds() < Number(exp) ? 'valid' : 'expired'
    },
  }
}

/** Whether a path has only one spelling: absolute; no empty, `.` or `..` segment; no backslash, control character or URL delimiter. */
function isNormal(resource: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused here
  if (!resource.startsWith('/') || /[\u0000-\u001F\u007F\\?#]/.test(resource)) return false
  const segments = resource.slice(1).split('/')
  // An empty last segment is the trailing slash of a folder.
  return segments.every((segment, index) =>
    segment === '' ? index > 0 && index === segments.length - 1 : segment !== '.' && segment !== '..',
  )
}
