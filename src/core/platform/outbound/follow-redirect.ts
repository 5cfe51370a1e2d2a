import type { OutboundTrust } from './address-guard.ts'
import { checkUrl } from './check-url.ts'
import { outboundErrors } from './errors.ts'

/** Where a request goes next, and what may go along. */
export type Hop = { url: URL; trust: OutboundTrust; headers: Record<string, string> }

const REDIRECTS: ReadonlySet<number> = new Set([300, 301, 302, 303, 305, 307, 308])

/** Those that name another address for a GET (RFC 9110, 15.4); 300 asks a person to choose, 305 would name a proxy. */
const FOLLOWED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** What another host may see; anything else may say who we are: keys come under many names. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent'])

/** Whether a reply of this status points elsewhere. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}

/**
 * The next hop of a request that was redirected. A new address is judged like the first one (SS-01, SS-02), as one that somebody else has
 * named as soon as it leaves the host, and from there on; https never becomes http (SS-04).
 * @throws AppError `outbound_refused`
 */
export function followRedirect(from: Hop, { status, location }: { status: number; location: string | undefined }): Hop {
  const target = location === undefined ? null : URL.parse(location, from.url.href)
  if (!FOLLOWED.has(status) || target === null) {
    throw outboundErrors.outbound_refused({ message: `${from.url.host} redirects to nowhere.` })
  }
  const isElsewhere = target.host !== from.url.host
  const trust = isElsewhere ? 'public' : from.trust
  const url = checkUrl(target.href, trust)
  if (from.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw outboundErrors.outbound_refused({ message: `${from.url.host} redirects to an address without encryption.` })
  }
  return { url, trust, headers: isElsewhere ? harmless(from.headers) : from.headers }
}

function harmless(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name.toLowerCase())))
}
