import type { OptionValues } from './options.ts'

/** Whether people can sign in another way than with what is stored on this server. A plugin does not count: the server disables one that fails. */
export function hasExternalSignIn(options: Pick<OptionValues, 'auth.oidc.issuer' | 'auth.ldap.url'>): boolean {
  return options['auth.oidc.issuer'] !== undefined || options['auth.ldap.url'] !== undefined
}

/** Why `accounts.local_sign_in` cannot be off, as half a sentence; undefined if it can. */
export function localSignInProblem(
  options: Pick<OptionValues, 'auth.oidc.issuer' | 'auth.ldap.url'>,
): string | undefined {
  return hasExternalSignIn(options)
    ? undefined
    : 'can only be off with auth.oidc.issuer or auth.ldap.url: nobody could sign in'
}
