import { REQUEST_SECONDS } from '../../../core/oidc/index.ts'

/** Each sign-in has a cookie of its own, so that two tabs do not disturb each other. */
const COOKIE_NAME = /^[\w-]{1,60}$/

/** The part of `state` in the name of its cookie; the value is another secret. */
const STATE_CHARACTERS = 12

type CookieOf = { state: string; isSecure: boolean }

/**
 * The cookie that binds a sign-in to a browser. `Lax`: it comes with the answer of the provider, which is a navigation from another site, and with no
 * request that a page of another site makes in the background. `__Host-` keeps other hosts of the domain from setting it.
 */
export function browserCookie({ state, isSecure, value }: CookieOf & { value: string }): string {
  return `${cookieName({ state, isSecure })}=${value}; Path=/; Max-Age=${REQUEST_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

/** Deletes the cookie. */
export function expiredCookie(input: CookieOf): string {
  return browserCookie({ ...input, value: '' }).replace(/Max-Age=\d+/, 'Max-Age=0')
}

/** The value of the cookie of a sign-in, in a `Cookie` header. */
export function readBrowserCookie(header: string | undefined, input: CookieOf): string | undefined {
  const name = cookieName(input)
  if (!COOKIE_NAME.test(name)) return undefined
  const found = (header ?? '').split(';').find((pair) => pair.trimStart().startsWith(`${name}=`))
  return found?.trimStart().slice(name.length + 1)
}

function cookieName({ state, isSecure }: CookieOf): string {
  return `${isSecure ? '__Host-' : ''}phlix-sign-in-${state.slice(0, STATE_CHARACTERS)}`
}
