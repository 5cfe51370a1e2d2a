import { REQUEST_SECONDS } from '../../../core/oidc/index.ts'

/** Each sign-in has a cookie of its own, so that two tabs do not disturb each other. */
const COOKIE_NAME = /^[\w-]{1,60}$/

/** The part of `state` in the name of its cookie; the value is another secret. */
const STATE_CHARACTERS = 12

type CookieIdentity = { state: string; isSecure: boolean }

/**
 * The cookie that binds a sign-in to a browser. `Lax`: the browser sends it when the provider redirects back, but not with background
 * requests of other sites. `__Host-`: other hosts of the domain cannot set it.
 */
export function signInCookie({ state, isSecure, value }: CookieIdentity & { value: string }): string {
  return `${cookieName({ state, isSecure })}=${value}; Path=/; Max-Age=${REQUEST_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

/** The cookie header that deletes the cookie of a sign-in. */
export function expiredSignInCookie(input: CookieIdentity): string {
  return signInCookie({ ...input, value: '' }).replace(/Max-Age=\d+/, 'Max-Age=0')
}

/** The value of the cookie of a sign-in, in a `Cookie` header. */
export function parseSignInCookie(header: string | undefined, input: CookieIdentity): string | undefined {
  const name = cookieName(input)
  if (!COOKIE_NAME.test(name)) return undefined
  const pair = (header ?? '').split(';').find((part) => part.trimStart().startsWith(`${name}=`))
  return pair?.trimStart().slice(name.length + 1)
}

function cookieName({ state, isSecure }: CookieIdentity): string {
  return `${isSecure ? '__Host-' : ''}phlix-sign-in-${state.slice(0, STATE_CHARACTERS)}`
}
