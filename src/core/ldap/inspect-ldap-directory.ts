import type { Config } from '../platform/config/index.ts'
import { describeError } from '../platform/errors/index.ts'
import { bindSearchAccount } from './verify-ldap-password.ts'
import { readLdapOptions } from './ldap-options.ts'
import { openLdapConnection } from './open-ldap-connection.ts'

/**
 * Connects to the directory, signs in as the account that searches, and reads the entry below which persons are.
 * @returns what cannot be done, or null; undefined if no directory is configured
 * @throws AppError `invalid_config`
 */
export async function inspectLdapDirectory({
  config,
}: {
  config: Pick<Config, 'options'>
}): Promise<{ url: string; problem: string | null } | undefined> {
  const options = readLdapOptions(config)
  if (options === undefined) return undefined
  const { url, baseDn } = options
  try {
    const { client, end } = await openLdapConnection(options)
    try {
      await bindSearchAccount(client, options)
      const { searchEntries } = await client.search(baseDn, { scope: 'base', attributes: ['1.1'] })
      return { url, problem: searchEntries.length === 1 ? null : `${baseDn} cannot be read` }
    } finally {
      end()
    }
  } catch (error) {
    return { url, problem: describeError(error) }
  }
}
