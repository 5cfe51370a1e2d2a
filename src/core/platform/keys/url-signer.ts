import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { Clock } from '../time/index.ts'

/**
 * The query parameters of a signed address: `exp` in Unix seconds, `sig` as 43 characters of base64url. For an address that needs a grant,
 * the 45 characters of the grant follow. The `sig` of an address for a limited account ends with a dot and the id of its access policy. The
 * signature covers the policy, and that a grant is needed.
 */
type Signature = { exp: number; sig: string }

/**
 * For whom an address was made. The address is valid as long as this is: a session (`s`) that has not ended, or an API key (`k`) that was
 * not revoked.
 */
export type AddressGrant = {
  kind: 's' | 'k'
  /** UUID. */
  id: string
}

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
  /**
   * A signer whose addresses of media need a grant. They hold `grantMark` in its place, so that replies that are the same for several people
   * can be kept; the mark is replaced when a reply is sent. Addresses of pictures need none: browsers and lists keep them.
   */
  withGrants(): UrlSigner
  /** A signer of addresses without a grant. */
  withoutGrants(): UrlSigner
  /** The text that stands for the grant in addresses; another one in each process. */
  readonly grantMark: string
  /** The text of a grant, which replaces the mark. */
  grantText(grant: AddressGrant): string
  /** Verifies the parameters of a client; never throws. `expired` only for a correct signature. */
  verify(resource: string, exp: unknown, sig: unknown): SignatureVerdict
}

const HOUR_SECONDS = 60 * 60
const DAY_SECONDS = 24 * HOUR_SECONDS
const LIFETIME_SECONDS = 6 * HOUR_SECONDS
const LABEL = 'phlix-signed-url-v1'

/** Seconds without sign, leading zero or exponent, small enough to be represented exactly. */
const EXPIRY_FORM = /^[1-9]\d{0,11}$/
const SIGNATURE_FORM = /^(?<code>[\w-]{43})(?<grant>[a-z][\w-]{44})?(?:\.(?<policy>[1-9]\d{0,9}))?$/
const GRANT_FORM = /^(?<kind>[sk])(?<id>[\w-]{22})[\w-]{22}$/
/** 128 bits, which cannot be guessed, because each wrong value costs a request. */
const GRANT_CODE_BYTES = 16

/** The id of the access policy in a signature; null for none. Whether the signature is right is for `verify` to say. */
export function parsePolicyOfSignature(sig: unknown): number | null {
  const policy = typeof sig === 'string' ? SIGNATURE_FORM.exec(sig)?.groups?.['policy'] : undefined
  return policy === undefined ? null : Number(policy)
}

/** The grant in a signature; null for none. Whether it is right is for `verify` to say. */
export function parseGrantOfSignature(sig: unknown): AddressGrant | null {
  const text = typeof sig === 'string' ? SIGNATURE_FORM.exec(sig)?.groups?.['grant'] : undefined
  const { kind, id } = GRANT_FORM.exec(text ?? '')?.groups ?? {}
  if (kind === undefined || id === undefined) return null
  const hex = Buffer.from(id, 'base64url').toString('hex')
  return { kind: kind as AddressGrant['kind'], id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') }
}

/** Creates a signer for media addresses. Its key is derived from the signing secret (HKDF of RFC 5869). */
export function createUrlSigner({ secret, clock }: { secret: Buffer; clock: Clock }): UrlSigner {
  // A key object is prepared once: signing with raw bytes takes six times as long.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', LABEL, 32)))
  // No grant begins with this letter, so that an address whose mark was not replaced is valid for nobody.
  const grantMark = `x${randomBytes(33).toString('base64url')}`
  return signerUntil(Infinity, { key, clock, policyId: null, grantMark, needsGrants: false })
}

type SignerParts = { key: KeyObject; clock: Clock; policyId: number | null; grantMark: string; needsGrants: boolean }

function signerUntil(latest: number, parts: SignerParts): UrlSigner {
  const { key, clock, policyId, grantMark, needsGrants } = parts
  /** A resource has no line break, so that no signature without a policy or a grant is also one with it. */
  const signatureOf = (resource: string, exp: string, needs: { policy: number | null; grant: boolean }): string => {
    const suffix = `${needs.policy === null ? '' : `\n${needs.policy}`}${needs.grant ? '\ng' : ''}`
    return createHmac('sha256', key).update(`${LABEL}\n${resource}\n${exp}${suffix}`).digest('base64url')
  }

  const grantText = ({ kind, id }: AddressGrant): string => {
    const word = `${kind}${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`
    const code = createHmac('sha256', key).update(`${LABEL}-grant\n${word}`).digest().subarray(0, GRANT_CODE_BYTES)
    return `${word}${code.toString('base64url')}`
  }

  /** Whether nobody else has made the grant of a signature. */
  const isOwnGrant = (sig: string, text: string): boolean => {
    const grant = parseGrantOfSignature(sig)
    return grant !== null && timingSafeEqual(Buffer.from(grantText(grant)), Buffer.from(text))
  }

  const signFor = (resource: string, ttlSeconds: number, grant: boolean): Signature => {
    if (!isNormal(resource)) throw new RangeError(`not a normalised absolute path: ${resource}`)
    const exp = Math.min(clock.unixSeconds() + ttlSeconds, latest)
    const code = signatureOf(resource, String(exp), { policy: policyId, grant })
    return { exp, sig: `${code}${grant ? grantMark : ''}${policyId === null ? '' : `.${policyId}`}` }
  }

  const sign = (resource: string, ttlSeconds = LIFETIME_SECONDS): Signature =>
    signFor(resource, ttlSeconds, needsGrants)

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
    signForHour: (resource) => signFor(resource, hourExpiry() - clock.unixSeconds(), false),
    hourExpiry,
    signForDay: (resource) => signFor(resource, dayExpiry() - clock.unixSeconds(), false),
    dayExpiry,
    signUrl(path, resource = path) {
      const { exp, sig } = sign(resource)
      return `${path.split('/').map(encodeURIComponent).join('/')}?exp=${exp}&sig=${sig}`
    },
    until: (sooner) => signerUntil(Math.min(sooner, latest), parts),
    forPolicy: (id) => signerUntil(latest, { ...parts, policyId: id }),
    withGrants: () => signerUntil(latest, { ...parts, needsGrants: true }),
    withoutGrants: () => signerUntil(latest, { ...parts, needsGrants: false }),
    grantMark,
    grantText,
    verify(resource, exp, sig) {
      if (typeof exp !== 'string' || !EXPIRY_FORM.test(exp)) return 'invalid'
      if (typeof sig !== 'string' || !isNormal(resource)) return 'invalid'
      const { code, grant } = SIGNATURE_FORM.exec(sig)?.groups ?? {}
      if (code === undefined) return 'invalid'
      // The encoded text is compared instead of the decoded bytes, because the last character of base64url has two unused bits.
      const right = signatureOf(resource, exp, { policy: parsePolicyOfSignature(sig), grant: grant !== undefined })
      const isRight = timingSafeEqual(Buffer.from(right), Buffer.from(code))
      if (!isRight || (grant !== undefined && !isOwnGrant(sig, grant))) return 'invalid'
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
