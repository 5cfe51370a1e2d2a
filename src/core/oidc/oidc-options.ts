import { configErrors, parseLibraryGroups, type Config } from '../platform/config/index.ts'

/** The OpenID provider of this server, and how its persons are treated. */
export type OidcOptions = Readonly<{
  /** As the administrator wrote it. The provider's own spelling is in its metadata. */
  issuer: string
  clientId: string
  /** Undefined for a public client, which only PKCE protects. */
  clientSecret: string | undefined
  /** Text for buttons. */
  name: string
  scope: string
  groupsClaim: string
  /** Members are administrators, others are not. Undefined: the provider does not decide it. */
  adminGroup: string | undefined
  /** Names or ids of libraries by group. Undefined: the provider does not decide about libraries. */
  libraryGroups: ReadonlyMap<string, readonly string[]> | undefined
  mayCreateAccounts: boolean
  /** Origin of this server for browsers. */
  publicUrl: string
  redirectUri: string
}>

const CALLBACK_PATH = '/api/v1/auth/oidc/callback'

/**
 * Reads `auth.oidc`.
 * @returns undefined if no provider is configured
 * @throws AppError `invalid_config` if an option is missing
 */
export function readOidcOptions({ options }: Pick<Config, 'options'>): OidcOptions | undefined {
  const issuer = options['auth.oidc.issuer']
  if (issuer === undefined) return undefined
  const clientId = options['auth.oidc.client_id']
  const publicUrl = options['server.public_url']
  const problems: string[] = []
  if (clientId === undefined || clientId === '') problems.push('auth.oidc.issuer needs auth.oidc.client_id')
  if (publicUrl === undefined) {
    problems.push('auth.oidc.issuer needs server.public_url: the provider sends browsers back to this address')
  }
  if (clientId === undefined || publicUrl === undefined || problems.length > 0) {
    throw configErrors.invalid_config({ message: problems.join('; '), details: { problems } })
  }
  const { origin } = new URL(publicUrl)
  return Object.freeze({
    issuer,
    clientId,
    clientSecret: options['auth.oidc.client_secret'],
    name: options['auth.oidc.name'],
    scope: options['auth.oidc.scopes'],
    groupsClaim: options['auth.oidc.groups_claim'],
    adminGroup: options['auth.oidc.admin_group'],
    libraryGroups: parseLibraryGroups(options['auth.oidc.library_groups'] ?? ''),
    mayCreateAccounts: options['auth.oidc.create_accounts'],
    publicUrl: origin,
    redirectUri: `${origin}${CALLBACK_PATH}`,
  })
}
