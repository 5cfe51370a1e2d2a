import type { FastifyRequest } from 'fastify'

/** A link has a cookie of its own, so that several can be open in one browser. */
const SHARE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The cookie of a browser that has opened a share link. It is sent to `/s/` only, and never with requests that pages of other sites cause.
 * @param share.isSecure whether the page was loaded with TLS
 */
export function guestCookie({
  id,
  cookie,
  expiresAt,
  isSecure,
}: {
  id: string
  cookie: string
  expiresAt: Date
  isSecure: boolean
}): string {
  const expires = expiresAt.toUTCString()
  return `${nameOf(id)}=${cookie}; Path=/s/; Expires=${expires}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/**
 * Whether the page of a request was loaded with TLS. Requests that read have no `Origin`. Browsers send `Sec-Fetch-Site` to servers with TLS and to
 * their own machine only, where they take a secure cookie too or keep the one that they have.
 */
export function isSecurePage(headers: FastifyRequest['headers']): boolean {
  const { origin } = headers
  return origin === undefined ? headers['sec-fetch-site'] !== undefined : origin.startsWith('https:')
}

/** The cookie for a link in a `Cookie` header. A name that comes twice is not used. */
export function readGuestCookie(header: string | undefined, shareId: string): string | undefined {
  if (header === undefined || !SHARE_ID.test(shareId)) return undefined
  const start = `${nameOf(shareId)}=`
  const found = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  return found.length === 1 ? found[0]?.slice(start.length) : undefined
}

function nameOf(id: string): string {
  return `phlix-share-${id.toLowerCase()}`
}
