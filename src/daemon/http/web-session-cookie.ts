/** No other route gets the cookie, so that none of them has to be protected against requests that other pages cause. */
export const WEB_SESSION_PATH = '/api/v1/auth/web'

/** Browsers keep cookies of 4,096 bytes. */
const MAX_LENGTH = 4096

const VALUE = /^[\w.-]+$/

/**
 * The cookie with the refresh token of the web page. Scripts cannot read it, and browsers send it only with requests of pages of this host.
 * `__Secure-`: no page without TLS can set it.
 * @param cookie.isSecure whether the page was loaded with TLS
 */
export function webSessionCookie(cookie: { token: string; maxAgeSeconds: number; isSecure: boolean }): string {
  const { token, maxAgeSeconds, isSecure } = cookie
  const scope = `Path=${WEB_SESSION_PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`
  return `${nameOf(isSecure)}=${token}; ${scope}${isSecure ? '; Secure' : ''}`
}

/** The header that deletes the cookie. */
export function expiredWebSessionCookie(isSecure: boolean): string {
  return webSessionCookie({ token: '', maxAgeSeconds: 0, isSecure })
}

/**
 * The refresh token in a `Cookie` header. A name that comes twice is not used: another server on this host, or a page of another path, may
 * have set one of them.
 */
export function readWebSessionCookie(header: string | undefined, isSecure: boolean): string | undefined {
  const start = `${nameOf(isSecure)}=`
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  const value = found[0]?.slice(start.length)
  return found.length === 1 && value !== undefined && value.length <= MAX_LENGTH && VALUE.test(value)
    ? value
    : undefined
}

const nameOf = (isSecure: boolean): string => (isSecure ? '__Secure-phlix' : 'phlix')
