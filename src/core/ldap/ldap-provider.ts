import type { SignInProvider } from '../accounts/index.ts'
import { withTimeLimit } from '../platform/concurrency/index.ts'
import type { Config } from '../platform/config/index.ts'
import { describeError } from '../platform/errors/index.ts'
import { verifyLdapPassword } from './verify-ldap-password.ts'
import { ldapErrors } from './errors.ts'
import { readLdapOptions } from './ldap-options.ts'

/** The name of the directory in links of accounts. Names of plugins begin otherwise. */
export const LDAP_PROVIDER = 'ldap'

/** As for plugins: people wait for the answer. */
const TIME_LIMIT_MILLISECONDS = 5000

/**
 * The directory as a provider that checks names and passwords. Nothing is sent before the first sign-in.
 * @returns undefined if no directory is configured
 * @throws AppError `invalid_config`
 */
export function createLdapProvider({ config }: { config: Pick<Config, 'options'> }): SignInProvider | undefined {
  const options = readLdapOptions(config)
  if (options === undefined) return undefined
  return Object.freeze({
    name: LDAP_PROVIDER,
    mayCreateAccounts: options.mayCreateAccounts,
    decidesRights: options.adminGroup !== undefined,
    async ask(_method, question) {
      const checking = verifyLdapPassword(options, question)
      try {
        const person = await withTimeLimit(checking, { milliseconds: TIME_LIMIT_MILLISECONDS, onTimeout: refuseLate })
        return person ?? null
      } catch (error) {
        throw ldapErrors.ldap_unavailable({ message: describeError(error), cause: error })
      }
    },
  } satisfies SignInProvider)
}

function refuseLate(): never {
  throw new Error('the directory did not answer in time')
}
