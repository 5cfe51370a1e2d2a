import { readFileSync } from 'node:fs'
import { configErrors, type Config } from '../platform/config/index.ts'
import { describeError } from '../platform/errors/index.ts'

/** The directory of this server, and how its persons are found and treated. */
export type LdapOptions = Readonly<{
  /** `ldap://` or `ldaps://`, host and port. */
  url: string
  startsTls: boolean
  /** PEM text of the authorities that sign the certificate of the directory; undefined: those of Node. */
  authorities: string | undefined
  /** The account that searches; undefined: the search is anonymous. */
  searcher: { dn: string; password: string } | undefined
  baseDn: string
  /** Contains `{username}`. */
  userFilter: string
  idAttribute: string
  usernameAttribute: string
  emailAttribute: string
  /** DN of the group whose members are administrators. Undefined: the directory does not decide it. */
  adminGroup: string | undefined
  mayCreateAccounts: boolean
}>

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Reads `auth.ldap`.
 * @returns undefined if no directory is configured
 * @throws AppError `invalid_config` if options are missing or do not fit together
 */
export function readLdapOptions({ options }: Pick<Config, 'options'>): LdapOptions | undefined {
  const url = options['auth.ldap.url']
  if (url === undefined) return undefined
  const [baseDn, dn, password] = [
    options['auth.ldap.base_dn'],
    options['auth.ldap.bind_dn'],
    options['auth.ldap.bind_password'],
  ]
  const startsTls = options['auth.ldap.start_tls']
  const { protocol, hostname } = new URL(url)
  const problems: string[] = []
  if (baseDn === undefined) problems.push('auth.ldap.url needs auth.ldap.base_dn')
  if (startsTls && protocol === 'ldaps:')
    problems.push('auth.ldap.start_tls is for ldap addresses; ldaps has TLS already')
  if (!startsTls && protocol === 'ldap:' && !LOOPBACK.has(hostname)) {
    problems.push('auth.ldap.url would send passwords without encryption: use ldaps, or auth.ldap.start_tls')
  }
  // A bind with a name and no password is anonymous (RFC 4513, 5.1.2).
  if (dn !== undefined && (password === undefined || password === '')) {
    problems.push('auth.ldap.bind_dn needs auth.ldap.bind_password')
  }
  const authorities = readAuthorities(options['auth.ldap.ca_file'], problems)
  if (baseDn === undefined || problems.length > 0) {
    throw configErrors.invalid_config({ message: problems.join('; '), details: { problems } })
  }
  return Object.freeze({
    url,
    startsTls,
    authorities,
    searcher: dn === undefined || password === undefined ? undefined : { dn, password },
    baseDn,
    userFilter: options['auth.ldap.user_filter'],
    idAttribute: options['auth.ldap.id_attribute'],
    usernameAttribute: options['auth.ldap.username_attribute'],
    emailAttribute: options['auth.ldap.email_attribute'],
    adminGroup: options['auth.ldap.admin_group'],
    mayCreateAccounts: options['auth.ldap.create_accounts'],
  })
}

function readAuthorities(path: string | undefined, problems: string[]): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    problems.push(`auth.ldap.ca_file cannot be read: ${describeError(error)}`)
    return undefined
  }
}
