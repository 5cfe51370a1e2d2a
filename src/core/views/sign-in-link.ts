import type { LinkedIdentity } from '../accounts/index.ts'
import type { Config } from '../platform/config/index.ts'
import { toIsoTimestamp } from '../platform/time/index.ts'

/** A link of an account to a person of a sign-in provider. `name` is null for a provider that is not configured, and for plugins. */
export function signInLinkView({ provider, subject, createdAt }: LinkedIdentity, { options }: Pick<Config, 'options'>) {
  return { provider, name: nameOf(provider, options), subject, created_at: toIsoTimestamp(createdAt) }
}

function nameOf(provider: string, options: Config['options']): string | null {
  const issuer = options['auth.oidc.issuer']
  const isIssuer = issuer !== undefined && withoutSlash(issuer) === withoutSlash(provider)
  if (isIssuer) return options['auth.oidc.name']
  return provider === 'ldap' && options['auth.ldap.url'] !== undefined ? 'Directory' : null
}

const withoutSlash = (address: string): string => address.replace(/\/$/, '')
