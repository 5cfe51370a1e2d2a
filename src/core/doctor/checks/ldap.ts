import { examineDirectory } from '../../ldap/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { Check } from '../doctor-context.ts'
import { error, ok } from '../finding.ts'

/** Whether the directory of `auth.ldap` can be used: options, connection, the account that searches. */
export const ldapCheck: Check = {
  id: 'ldap',
  async run({ config, phlix }) {
    try {
      const directory = await examineDirectory({ config })
      if (directory === undefined) return ok('no directory is configured')
      const { url, problem } = directory
      if (problem === null) return ok(`${url} answers`)
      const { hostname, port, protocol } = new URL(url)
      const address = `${hostname} ${port === '' ? (protocol === 'ldaps:' ? 636 : 389) : port}`
      const text = `nobody can sign in with a password of the directory ${url}: ${problem}. Start it, let this machine reach it, or correct auth.ldap`
      return [error(`${text}; the command tests the connection`, `nc -vz ${address}`)]
    } catch (reason) {
      const text = `the options of the directory are wrong, and the server does not start with them: ${describeError(reason)}`
      return [error(`${text}. Correct them (docs/single-sign-on.md); the command shows them`, phlix('config:show'))]
    }
  },
}
