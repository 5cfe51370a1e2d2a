import type { OwnPage } from './own-page.ts'

/** No other route gets the cookie, so that none of them has to be protected against requests that other pages cause. */
export const WEB_SESSION_PATH = '/api/v1/auth/web'

/** Browsers keep cookies of 4,096 bytes. */
const MAX_LENGTH = 4096

const VALUE = /^[\w.-]+$/

/**
 * The cookie with the refresh token of the web page. Scripts cannot read it, and browsers send it only with requests of pages of this host.
 * All ports of a host share their cookies, so the name has the port: servers on several ports keep their sessions apart.
 * `__Secure-`: no page without TLS can set it.
 */
export function webSessionCookie(cookie: { token: string; maxAgeSeconds: number; page: OwnPage }): string {
  const { token, maxAgeSeconds, page } = cookie
  const scope = `Path=${WEB_SESSION_PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`
  return `${nameOf(page)}=${token}; ${scope}${page.isSecure ? '; Secure' : ''}`
}

/** The header that deletes the cookie. */
export function expiredWebSessionCookie(page: OwnPage): string {
  return webSessionCookie({ token: '', maxAgeSeconds: 0, page })
}

/**
 * The refresh token in a `Cookie` header. A name that comes twice is not used: another program on this host, or a page of another path, may
 * have set one of them.
 */
export function readWebSessionCookie(header: string | undefined, page: OwnPage): string | undefined {
  const start = `${nameOf(page)}=`
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  const value = found[0]?.slice(start.length)
  return found.length === 1 && value !== undefined && value.length <= MAX_LENGTH && VALUE.test(value)
    ? value
    : undefined
}

const nameOf = ({ isSecure, port }: OwnPage): string => `${isSecure ? '__Secure-' : ''}phlix-${port}`
