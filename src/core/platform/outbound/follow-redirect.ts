import type { OutboundTrust } from './address-guard.ts'
import { checkUrl } from './check-url.ts'
import { outboundErrors } from './errors.ts'

/** The target of the next request and the headers that may be sent to it. */
export type RedirectTarget = { url: URL; trust: OutboundTrust; headers: Record<string, string> }

const REDIRECTS: ReadonlySet<number> = new Set([300, 301, 302, 303, 305, 307, 308])

/** Status codes that redirect a GET (RFC 9110, 15.4). 300 requires a choice of the user, and 305 would refer to a proxy. */
const FOLLOWED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Headers that may be sent to another host. All others may contain credentials, which have many names. */
const SAFE_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent'])

/** Whether a status is a redirect. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}

/**
 * The next hop of a redirected request. The new address is checked like the first one, and is treated as `public` as soon as it leaves the
 * host, for the rest of the chain. https is never followed to http.
 * @throws AppError `outbound_refused`
 */
export function followRedirect(
  from: RedirectTarget,
  { status, location }: { status: number; location: string | undefined },
): RedirectTarget {
  const target = location === undefined ? null : URL.parse(location, from.url.href)
  if (!FOLLOWED.has(status) || target === null) {
    throw outboundErrors.outbound_refused({ message: `${from.url.host} sent a redirect without a valid address.` })
  }
  const isElsewhere = target.host !== from.url.host
  const trust = isElsewhere ? 'public' : from.trust
  const url = checkUrl(target.href, trust)
  if (from.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw outboundErrors.outbound_refused({ message: `${from.url.host} redirects to an address without encryption.` })
  }
  return { url, trust, headers: isElsewhere ? safeHeadersOf(from.headers) : from.headers }
}

function safeHeadersOf(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => SAFE_HEADERS.has(name.toLowerCase())))
}
